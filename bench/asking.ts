import { request, type Agent } from 'node:http';
import { asInsert, INSERT, sampleQuote } from '../tests/integration/sample-quote.ts';

/** Inserts a sample quote over HTTP, without a page. Resolves with the milliseconds until the server answers. */
export function insert(origin: string, agent: Agent): Promise<number> {
  const began = performance.now();
  const { method, headers, body } = asInsert(sampleQuote());
  return new Promise((resolve, reject) => {
    const asked = request(origin + INSERT, { method, agent, headers }, (answer) => {
      answer.resume().on('end', () => {
        if (answer.statusCode === 201) resolve(performance.now() - began);
        else reject(new Error(`The server answered ${answer.statusCode}`));
      });
    });
    asked.on('error', reject).end(body);
  });
}
