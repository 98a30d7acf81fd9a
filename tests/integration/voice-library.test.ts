import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { KEY, Library, replaceCallObjects, startVoiceService, type CallObject } from './voice-service.ts';

// What we rely on in @vapi-ai/web as it is pinned, each as it was found. Our own call is tested apart from it.

let service: Awaited<ReturnType<typeof startVoiceService>>;
beforeEach(async () => void (service = await startVoiceService()));
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await service.close();
});

const EVENTS = [
  'call-start',
  'call-end',
  'speech-start',
  'speech-end',
  'volume-level',
  'message',
  'error',
  'camera-error',
  'call-start-progress',
  'call-start-failed',
] as const;

interface Told {
  readonly type?: string;
  readonly stage?: string;
  readonly status?: string;
  readonly endedReason?: string;
  readonly metadata?: unknown;
  readonly error?: { readonly message: unknown };
}

interface Options {
  readonly key?: string;
  /** Sees each call object before the library does. */
  readonly prepare?: (object: CallObject) => void;
}

function make({ key = KEY, prepare }: Options = {}) {
  const objects = replaceCallObjects(prepare);
  const vapi = new Library(key, service.url, { avoidEval: true });
  const told: [name: string, what: Told][] = [];
  for (const name of EVENTS) vapi.on(name, (what?: unknown) => told.push([name, what as Told]));
  onTestFinished(() => vapi.stop());
  return {
    vapi,
    objects,
    names: () => told.map(([name]) => name).filter((name) => name !== 'call-start-progress'),
    of: (name: (typeof EVENTS)[number]) => told.filter(([other]) => other === name).map(([, what]) => what),
  };
}

async function joined(options: Options = {}) {
  const made = make(options);
  const result = await made.vapi.start('asistente');
  return { ...made, result, object: made.objects[0]! };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 20));
const sent = (object: CallObject) =>
  object.done.filter(([what]) => what === 'send').map(([, text]) => JSON.parse(text as string) as Told);

test('starting without an assistant, squad or workflow throws, and asks nothing', async () => {
  const { vapi, of } = make();
  await expect(vapi.start()).rejects.toThrow('Assistant or Squad or Workflow must be provided.');
  expect(of('error')).toMatchObject([{ type: 'validation-error', stage: 'input-validation' }]);
  expect(service.asked).toEqual([]);
});

test('a call is asked for by POST /call/web with the key as bearer, and joined where the answer says', async () => {
  const { result, object } = await joined();
  expect(service.asked).toEqual([
    { method: 'POST', url: '/call/web', authorization: `Bearer ${KEY}`, body: { assistantId: 'asistente' } },
  ]);
  expect(result).toMatchObject({ id: 'call-1' });
  expect(object.options).toEqual({ audioSource: true, videoSource: false, dailyConfig: { avoidEval: true } });
  expect(object.done[0]).toEqual([
    'join',
    { url: 'https://vapi.daily.co/room-1', subscribeToTracksAutomatically: false },
  ]);
});

test('ids and whole assistants, squads and workflows, with their overrides, go out under their own names', async () => {
  const { vapi } = make();
  await vapi.start(
    { name: 'uno' },
    { firstMessage: 'hola' },
    'grupo',
    { name: 'flujo', nodes: [], edges: [] },
    { variableValues: {} },
    { roomDeleteOnUserLeaveEnabled: false },
  );
  expect(service.asked[0]!.body).toEqual({
    assistant: { name: 'uno' },
    assistantOverrides: { firstMessage: 'hola' },
    squadId: 'grupo',
    workflow: { name: 'flujo', nodes: [], edges: [] },
    workflowOverrides: { variableValues: {} },
    roomDeleteOnUserLeaveEnabled: false,
  });
});

test('a start is ignored while a call is started', async () => {
  const { vapi, of } = await joined();
  expect(await vapi.start('asistente')).toBeNull();
  expect(service.asked).toHaveLength(1);
  expect(of('call-start-progress').at(-1)).toMatchObject({
    stage: 'validation',
    status: 'failed',
    metadata: { reason: 'already-started' },
  });
});

test('the call has begun when the assistant listens, not when the room is joined', async () => {
  const { object, names } = await joined();
  expect(names()).toEqual([]);
  object.says('listening');
  expect(names()).toEqual(['call-start']);
});

test('a phone waits one second before it joins', async () => {
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' });
  const began = performance.now();
  await joined();
  expect(performance.now() - began).toBeGreaterThanOrEqual(995);
});

test('levels are observed every 100 ms', async () => {
  const { object } = await joined();
  expect(object.done).toContainEqual(['observe levels', 100]);
});

test('the volume is the sum of the levels divided by 0.15 and at most 1; above a sum of 0.01 it is speech', async () => {
  const { object, of } = await joined();
  object.sounds(0.004, 0.006);
  expect(of('volume-level')).toEqual([expect.closeTo(0.0667, 3)]);
  expect(of('speech-start')).toHaveLength(0);
  object.sounds(0.011);
  expect(of('speech-start')).toHaveLength(1);
  object.sounds(0.1, 0.1);
  expect(of('volume-level').at(-1)).toBe(1);
  expect(of('speech-start')).toHaveLength(1);
});

test('speech ends one second after quiet', async () => {
  const { object, of } = await joined();
  vi.useFakeTimers();
  object.sounds(0.2);
  vi.advanceTimersByTime(900);
  object.sounds(0.2);
  vi.advanceTimersByTime(999);
  object.sounds(0);
  expect(of('speech-end')).toHaveLength(0);
  vi.advanceTimersByTime(1);
  expect(of('speech-end')).toHaveLength(1);
});

test('that the visitor speaks is told by a message alone', async () => {
  const { object, names, of } = await joined();
  object.says({ type: 'speech-update', role: 'user', status: 'started' });
  expect(names()).toEqual(['message']);
  expect(of('message')).toEqual([{ type: 'speech-update', role: 'user', status: 'started' }]);
});

test('a message that cannot be read is dropped', async () => {
  vi.spyOn(console, 'log').mockReturnValue();
  const { object, names } = await joined();
  object.says('{no');
  expect(names()).toEqual([]);
});

test('an end is told with customer-ended-call', async () => {
  const { vapi, names, of } = await joined();
  await vapi.stop();
  expect(names()).toEqual(['call-end', 'message']);
  expect(of('message')).toEqual([{ type: 'status-update', status: 'ended', endedReason: 'customer-ended-call' }]);
});

test('unless an end was told already, and anew for each call', async () => {
  const { vapi, object, of } = await joined();
  object.says({ type: 'status-update', status: 'ended', endedReason: 'assistant-ended-call' });
  await object.leave();
  expect(of('message').map(({ endedReason }) => endedReason)).toEqual(['assistant-ended-call']);
  await soon();
  await vapi.start('asistente');
  await vapi.stop();
  expect(of('message').at(-1)!.endedReason).toBe('customer-ended-call');
});

test('say carries its message, whether the call ends after it and what may interrupt it', async () => {
  const { vapi, object } = await joined();
  vapi.say('Hasta luego', true);
  vapi.say('Sigo', false, true, true);
  expect(sent(object)).toEqual([
    {
      type: 'say',
      message: 'Hasta luego',
      endCallAfterSpoken: true,
      interruptionsEnabled: false,
      interruptAssistantEnabled: false,
    },
    {
      type: 'say',
      message: 'Sigo',
      endCallAfterSpoken: false,
      interruptionsEnabled: true,
      interruptAssistantEnabled: true,
    },
  ]);
});

test('a call that is filmed is recorded at 1280x720, and the first message waits for the film', async () => {
  service.answer = () => ({
    body: { id: 'c', webCallUrl: 'https://x.daily.co/r', artifactPlan: { videoRecordingEnabled: true } },
  });
  const { object } = await joined();
  expect(object.options).toMatchObject({ videoSource: true });
  expect(object.done).toContainEqual([
    'record',
    { width: 1280, height: 720, backgroundColor: '#FF1F2D3D', layout: { preset: 'default' } },
  ]);
  object.emit('recording-started', {});
  object.emit('recording-started', {});
  expect(sent(object)).toEqual([
    {
      type: 'control',
      control: 'say-first-message',
      videoRecordingStartDelaySeconds: expect.any(Number) as number,
    },
  ]);
});

test('only an assistant whose voice is a face is watched', async () => {
  for (const [provider, video] of [
    ['tavus', true],
    ['azure', false],
  ] as const) {
    service.answer = () => ({
      body: { id: 'c', webCallUrl: 'https://x.daily.co/r', assistant: { voice: { provider } } },
    });
    vi.restoreAllMocks();
    const { vapi, object } = await joined();
    object.emit('participant-joined', { participant: { local: false, session_id: 's', user_name: 'Vapi Speaker' } });
    expect(object.done.at(-1)).toEqual([
      'participant',
      { id: 's', how: { setSubscribedTracks: { audio: true, video } } },
    ]);
    await vapi.stop();
  }
});

test('an audio processor that breaks is turned off, the microphone unmuted, and nothing is called an error', async () => {
  const { vapi, object, of } = await joined();
  vapi.setMuted(true);
  object.emit('nonfatal-error', { type: 'audio-processor-error', errorMsg: 'krisp' });
  await soon();
  expect(object.done.slice(-2)).toEqual([
    ['input settings', { audio: { processor: { type: 'none' } } }],
    ['microphone', true],
  ]);
  expect(of('error')).toEqual([]);
});

test('one that cannot be turned off is an error of a kind of its own', async () => {
  const { object, of } = await joined();
  object.inputSettings = () => Promise.reject(new Error('KrispInitError: Canceled'));
  object.emit('nonfatal-error', { type: 'audio-processor-error', errorMsg: 'krisp' });
  await soon();
  expect(of('error')).toMatchObject([{ type: 'audio-processor-recovery-error' }]);
  expect(of('call-end')).toEqual([]);
});

test('noise cancellation that is refused is one too, and the call goes on', async () => {
  const { result, object, of } = await joined({
    prepare: (made) => void (made.inputSettings = () => Promise.reject(new Error('KrispInitError'))),
  });
  await soon();
  expect(result).not.toBeNull();
  expect(of('error')).toMatchObject([{ type: 'audio-processing-setup-error' }]);
  object.says('listening');
  expect(of('call-start')).toHaveLength(1);
});

test('TRAP: a failed start resolves with null, and what is called its message is an object', async () => {
  const { vapi, names, of, objects } = make({ key: 'otra' });
  expect(await vapi.start('asistente')).toBeNull();
  expect(names()).toEqual(['call-start-failed', 'error']);
  expect(of('error')[0]!.error!.message).toMatchObject({ message: 'Invalid Key.' });
  expect(objects).toEqual([]);
});

test('TRAP: an answer that is no JSON is a failed start', async () => {
  service.answer = () => ({ text: '<html>' });
  const { vapi, of } = make();
  expect(await vapi.start('asistente')).toBeNull();
  expect(of('error').length).toBeGreaterThan(0);
});

test('TRAP: a room that refuses is told twice', async () => {
  const { vapi, of } = make({
    prepare: (object) => {
      object.joining = Promise.reject(new Error('no-room'));
      object.joining.catch(() => undefined);
    },
  });
  expect(await vapi.start('asistente')).toBeNull();
  expect(of('error').map(({ type }) => type)).toEqual(['daily-call-join-error', 'start-method-error']);
});

test('TRAP: an error that nobody listens to makes the start throw', async () => {
  const { url } = service;
  await expect(new Library('otra', url).start('asistente')).rejects.toBeDefined();
});

test('TRAP: after a fatal error there is no call-end, and the next start is ignored until stop', async () => {
  const { vapi, object, objects, of } = await joined();
  object.breaks('connection-error', 'network gone');
  expect(of('error')).toMatchObject([{ type: 'daily-error', error: { message: { msg: 'network gone' } } }]);
  expect(await vapi.start('asistente')).toBeNull();
  expect(service.asked).toHaveLength(1);
  await vapi.stop();
  expect(of('call-end')).toEqual([]);
  await vapi.start('asistente');
  expect(objects).toHaveLength(2);
});

test('TRAP: a stop while the service is asked stops nothing', async () => {
  service.answer = () => ({ after: 60, body: { id: 'c', webCallUrl: 'https://x.daily.co/r' } });
  const { vapi, objects } = make();
  const started = vapi.start('asistente');
  await vi.waitUntil(() => service.asked.length === 1);
  await vapi.stop();
  await started;
  expect(objects[0]!.state).toBe('joined-meeting');
});

test('TRAP: a speech-end comes up to a second after the call’s end', async () => {
  const { vapi, object, of } = await joined();
  vi.useFakeTimers();
  object.sounds(0.5);
  await vapi.stop();
  expect(of('speech-end')).toHaveLength(0);
  vi.advanceTimersByTime(1000);
  expect(of('speech-end')).toHaveLength(1);
});

test('TRAP: muting without a call throws', () => {
  expect(() => make().vapi.setMuted(true)).toThrow('Call object is not available.');
});

test('the assistant is heard through an audio element, and told so', async () => {
  const element = { dataset: {}, play: async () => undefined, remove: () => undefined };
  vi.stubGlobal('document', {
    createElement: () => element,
    body: { appendChild: () => undefined },
    querySelector: () => element,
  });
  vi.stubGlobal('MediaStream', EventTarget);
  const { object } = await joined();
  const participant = { local: false, session_id: 's', user_name: 'Vapi Speaker' };
  object.emit('track-started', { participant, track: { kind: 'audio' } });
  await soon();
  expect(object.done.at(-1)).toEqual(['send', 'playable']);
});

test('TRAP: where the browser refuses to play, an error comes and the call never starts', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const refuse = () => Promise.reject(new DOMException('no gesture', 'NotAllowedError'));
  vi.stubGlobal('document', {
    createElement: () => ({ dataset: {}, play: refuse, remove: () => undefined }),
    body: { appendChild: () => undefined },
    querySelector: () => null,
  });
  vi.stubGlobal('MediaStream', EventTarget);
  const { object, of } = await joined();
  const participant = { local: false, session_id: 's', user_name: 'Vapi Speaker' };
  object.emit('track-started', { participant, track: { kind: 'audio' } });
  await soon();
  expect(of('error')).toMatchObject([{ type: 'audio-start-failed' }]);
  expect(object.done.map(([what]) => what)).not.toContain('send');
});

test('more than ten listeners of one event are warned of', async () => {
  const { vapi } = make();
  for (let count = vapi.listenerCount('audio'); count < 10; count += 1) vapi.on('audio', () => undefined);
  const told = new Promise<Error>((resolve) => process.once('warning', resolve));
  vapi.on('audio', () => undefined);
  expect((await told).message).toContain('11 audio listeners added to [Vapi]. MaxListeners is 10.');
});
