import { registerWorker } from './pwa/worker.ts';
import { startNavigation } from './sections/navigation-behaviour.ts';

registerWorker();
if (!document.documentElement.dataset['page']) startNavigation();
