import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { serveWith, type WebHandler } from '../../server/http.ts';
import { listening } from '../listening.ts';

// Runs a deployed edge function in its own process, with the few functions of Deno needed there.

let answer: ((request: Request) => Promise<Response>) | undefined;
const environment = { ...process.env };
Object.assign(globalThis, {
  Deno: { env: { toObject: () => environment }, serve: (given: typeof answer) => void (answer = given) },
});
await import(pathToFileURL(process.argv[2]!).href);
const serve: WebHandler = (request) => answer!(request);
const server = createServer((request, response) => void serveWith(serve, { trustedProxies: 0 })(request, response));
process.send!(await listening(server));
