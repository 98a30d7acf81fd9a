// What the worker of the simulated phones runs: all that sw/worker.ts does with quotes.
export { deliverWaiting, lookForAnswers, showPushed } from '../../sw/quotes.ts';
