import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { listening } from '../listening.ts';

export const KEY = 'llave-publica';

interface Answer {
  readonly status?: number;
  readonly body?: unknown;
  readonly text?: string;
  /** Milliseconds that the service waits before it answers. */
  readonly after?: number;
  readonly lost?: boolean;
}

/** Starts a substitute for the voice service (POST /call/web). */
export async function startVoiceService() {
  const asked: { method: string; url: string; authorization: string | undefined; body: unknown }[] = [];
  const service = {
    asked,
    url: '',
    answer: (): Answer => ({ body: { id: 'call-1', webCallUrl: 'https://vapi.daily.co/room-1' } }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createServer((request, response) => {
    void (async () => {
      const text = Buffer.concat(await request.toArray()).toString();
      const { method = '', url = '', headers } = request;
      asked.push({ method, url, authorization: headers.authorization, body: text ? JSON.parse(text) : null });
      response.setHeader('content-type', 'application/json');
      if (headers.authorization !== `Bearer ${KEY}`)
        return response.writeHead(401).end('{"message":"Invalid Key.","error":"Unauthorized","statusCode":401}');
      if (method !== 'POST' || url !== '/call/web') return response.writeHead(404).end('{}');
      const { status = 201, body = {}, text: raw, after = 0, lost } = service.answer();
      await new Promise((resolve) => setTimeout(resolve, after));
      if (lost) return request.socket.destroy();
      response.writeHead(status).end(raw ?? JSON.stringify(body));
    })();
  });
  service.url = await listening(server);
  return service;
}

/** Substitute for Daily's call object: the parts that the library uses, as in daily-js 0.87. */
export class CallObject extends EventEmitter {
  state: 'new' | 'joining-meeting' | 'joined-meeting' | 'left-meeting' | 'error' = 'new';
  readonly done: [what: string, details?: unknown][] = [];
  joining: Promise<unknown> = Promise.resolve();
  inputSettings: () => Promise<unknown> = async () => undefined;
  leaving: Promise<unknown> = Promise.resolve();
  destroyed = false;
  readonly options: unknown;

  constructor(options: unknown) {
    super();
    this.options = options;
  }
  iframe() {
    return null;
  }
  async join(where: unknown) {
    if (this.destroyed) throw new Error('Use after destroy');
    this.done.push(['join', where]);
    this.state = 'joining-meeting';
    await this.joining;
    this.state = 'joined-meeting';
    this.emit('joined-meeting');
  }
  async leave() {
    if (this.state === 'left-meeting' || this.state === 'error') return;
    this.state = 'left-meeting';
    this.emit('left-meeting');
  }
  async destroy() {
    this.destroyed = true;
    this.done.push(['destroy']);
    await this.leaving;
    await this.leave();
  }
  startRemoteParticipantsAudioLevelObserver(interval: number) {
    this.done.push(['observe levels', interval]);
  }
  async updateInputSettings(settings: unknown) {
    this.done.push(['input settings', settings]);
    return this.inputSettings();
  }
  setLocalAudio(on: boolean) {
    this.done.push(['microphone', on]);
    queueMicrotask(() => this.emit('participant-updated', { participant: { local: true } }));
  }
  localAudio() {
    return this.done.findLast(([what]) => what === 'microphone')?.[1] !== false;
  }
  updateParticipant(id: string, how: unknown) {
    this.done.push(['participant', { id, how }]);
  }
  sendAppMessage(message: unknown) {
    if (this.state !== 'joined-meeting') throw new Error('sendAppMessage() only supported after join.');
    this.done.push(['send', message]);
  }
  startRecording() {}
  stopRecording() {}

  says(data: unknown) {
    this.emit('app-message', { data: typeof data === 'string' ? data : JSON.stringify(data), fromId: 'bot' });
  }
  sounds(...levels: number[]) {
    const participantsAudioLevel = Object.fromEntries(levels.map((level, at) => [`p${at}`, level]));
    this.emit('remote-participants-audio-level', { participantsAudioLevel });
  }
  breaks(type: string, message: string) {
    this.state = 'error';
    this.emit('error', { action: 'error', errorMsg: message, error: { type, msg: message, details: undefined } });
  }
}

const requireHere = createRequire(import.meta.url);
const daily = requireHere('@daily-co/daily-js') as { createCallObject: (options: unknown) => unknown };

/** Replaces Daily's call objects. `prepare` changes each before the library receives it. */
export function replaceCallObjects(prepare: (object: CallObject) => void = () => undefined): CallObject[] {
  const made: CallObject[] = [];
  // The method of the shared class is replaced, because a mocked module would not reach the library’s own require().
  daily.createCallObject = (options) => {
    if (made.some(({ destroyed, state }) => !destroyed && state !== 'left-meeting'))
      throw new Error('Duplicate DailyIframe instances are not allowed');
    const object = new CallObject(options);
    prepare(object);
    made.push(object);
    return object;
  };
  return made;
}
