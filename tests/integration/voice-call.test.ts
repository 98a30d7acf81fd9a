import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Call } from '../../src/voice/call.ts';
import { FILL_IN, fillIn } from '../../src/voice/fill-in.ts';
import { openLine, textOf } from '../../src/voice/vapi.ts';
import { assistantValues } from '../../src/phone/assistant-values.ts';
import { KEY, replaceCallObjects, startVoiceService, type CallObject } from './voice-service.ts';

// The tests use Vapi’s real library. They replace only the call object of Daily, on which the library is built.

let service: Awaited<ReturnType<typeof startVoiceService>>;
beforeEach(async () => void (service = await startVoiceService()));
afterEach(async () => {
  vi.useRealTimers();
  await service.close();
});

interface Options {
  readonly key?: string;
  /** Function that changes each call object before the library gets it. */
  readonly prepare?: (object: CallObject) => void;
}

function begin({ key = KEY, prepare }: Options = {}) {
  const objects = replaceCallObjects(prepare);
  const assistant = { publicKey: key, assistantId: 'asistente', baseUrl: service.url };
  const call = new Call(
    (hear) => openLine(assistant, hear),
    async (tool) => fillIn(tool),
  );
  const states: string[] = [];
  call.view.subscribe(() => {
    const { kind } = call.view.read().state;
    if (states.at(-1) !== kind) states.push(kind);
  });
  onTestFinished(() => call.stop());
  return { call, objects, states, state: () => call.view.read().state };
}

const noTool = async () => undefined;
const until = (isTrue: () => boolean) => vi.waitUntil(isTrue, { timeout: 5000, interval: 5 });
/** Waits until the library has handled all pending events. */
const soon = () => new Promise((resolve) => setTimeout(resolve, 20));

async function joined(options: Options = {}) {
  const begun = begin(options);
  begun.call.start();
  await until(() => begun.objects.at(-1)?.state === 'joined-meeting');
  await soon();
  const object = begun.objects.at(-1)!;
  object.says('listening');
  expect(begun.state().kind).toBe('connected');
  return { ...begun, object };
}

async function callAgain({ call, objects, state }: ReturnType<typeof begin>) {
  const count = objects.length;
  call.start();
  await until(() => objects.length > count && objects.at(-1)!.state === 'joined-meeting');
  await soon();
  objects.at(-1)!.says('listening');
  expect(state()).toMatchObject({ kind: 'connected' });
}

test('a voice call starts with the public key, joins its room, transmits speech and ends', async () => {
  const { call, object, states, state } = await joined();
  expect(service.asked).toEqual([
    { method: 'POST', url: '/call/web', authorization: `Bearer ${KEY}`, body: { assistantId: 'asistente' } },
  ]);
  object.sounds(0.1);
  expect(state()).toMatchObject({ kind: 'speaking' });
  call.stop();
  expect(state()).toEqual({ kind: 'idle', ending: { kind: 'ended', reason: 'customer-ended-call' } });
  expect(states).toEqual(['initializing', 'connected', 'speaking', 'idle']);
  await until(() => object.destroyed);
});

test('a level above 0.01 counts as the assistant’s speech, which ends after one second of quiet', async () => {
  const { object, state } = await joined();
  vi.useFakeTimers();
  object.sounds(0.004, 0.006);
  expect(state().kind).toBe('connected');
  object.sounds(0.02, 0.04);
  expect(state()).toMatchObject({ kind: 'speaking', volume: expect.closeTo(0.4, 5) as number });
  object.sounds(0.9);
  expect(state()).toMatchObject({ volume: 1 });
  vi.advanceTimersByTime(900);
  object.sounds(0.011);
  vi.advanceTimersByTime(999);
  expect(state().kind).toBe('speaking');
  vi.advanceTimersByTime(1);
  expect(state().kind).toBe('connected');
});

test('a late end-of-speech event of a previous call does not change the next call', async () => {
  const begun = await joined();
  vi.useFakeTimers({ shouldAdvanceTime: true });
  begun.object.sounds(0.1);
  begun.call.stop();
  await callAgain(begun);
  for (let passed = 0; passed < 1100; passed += 100) {
    begun.objects.at(-1)!.sounds(0.1);
    vi.advanceTimersByTime(100);
    expect(begun.state().kind).toBe('speaking');
  }
  expect(begun.states.slice(-3)).toEqual(['initializing', 'connected', 'speaking']);
});

test('a second start is ignored while a call is starting', async () => {
  const { call, state } = await joined();
  call.start();
  await soon();
  expect(service.asked).toHaveLength(1);
  expect(state().kind).toBe('connected');
  call.stop();
  call.start();
  call.start();
  await until(() => service.asked.length === 2);
  await soon();
  expect(service.asked).toHaveLength(2);
});

test('a muted microphone stays muted, even after the library turns it on', async () => {
  const { call, object, state } = await joined();
  call.setMuted(true);
  expect(object.localAudio()).toBe(false);
  expect(state()).toMatchObject({ muted: true });
  call.setMuted(false);
  expect(object.localAudio()).toBe(true);
  expect(state()).toMatchObject({ muted: false });
  call.setMuted(true);
  // After this error the library turns noise suppression off, which also turns the microphone on.
  object.emit('nonfatal-error', { type: 'audio-processor-error' });
  await soon();
  expect(object.done.filter(([what]) => what === 'microphone').slice(-2)).toEqual([
    ['microphone', true],
    ['microphone', false],
  ]);
  expect(state()).toMatchObject({ muted: true });
});

test('the transcript of a call replaces partial texts with final texts', async () => {
  const { call, object } = await joined();
  const transcript = (role: string, transcriptType: string, text: string) =>
    object.says({ type: 'transcript', role, transcriptType, transcript: text });
  transcript('assistant', 'final', 'Buenas tardes.');
  transcript('user', 'partial', '¿Cuánto');
  transcript('user', 'partial', '¿Cuánto cuesta');
  expect(call.view.read().transcript.at(-1)).toEqual({ of: 'visitor', text: '¿Cuánto cuesta', final: false });
  transcript('user', 'final', '¿Cuánto cuesta un kilo?');
  expect(call.view.read().transcript).toEqual([
    { of: 'assistant', text: 'Buenas tardes.', final: true },
    { of: 'visitor', text: '¿Cuánto cuesta un kilo?', final: true },
  ]);
  call.stop();
  expect(call.view.read().transcript).toHaveLength(2);
  call.start();
  expect(call.view.read().transcript).toEqual([]);
});

describe('a value from the assistant', () => {
  let calls = 0;
  /** Sends a tool call as the voice service does, with arguments as JSON text or as an object. */
  const asks = (object: CallObject, written: unknown, { id = `tool-${++calls}`, name = FILL_IN } = {}) =>
    object.says({
      type: 'tool-calls',
      toolCallList: [{ id, type: 'function', function: { name, arguments: written } }],
      toolWithToolCallList: [],
    });
  const toldTo = (object: CallObject) =>
    object.done
      .filter(([what]) => what === 'send')
      .map(([, text]) => JSON.parse(text as string) as { type: string; message: { content: string } })
      .filter(({ type }) => type === 'add-message');
  beforeEach(() => assistantValues.set(new Map()));

  const company = { campo: 'empresa', valor: 'Bayas del Valle' };
  test.each([
    ['as text', JSON.stringify(company), [['empresa', 'Bayas del Valle']], 'empresa está en el formulario'],
    ['as an object', company, [['empresa', 'Bayas del Valle']], 'empresa está en el formulario'],
    ['in a wrong form', { campo: 'email', valor: 'ana arroba bayas' }, [], 'Email debe tener un formato valido'],
  ])('the assistant gets the result of a value sent %s', async (_, written, filled, says) => {
    const { object } = await joined();
    asks(object, written);
    await until(() => toldTo(object).length === 1);
    expect([...assistantValues.read()]).toEqual(filled);
    const message = { role: 'system', content: expect.stringContaining(says) as string };
    expect(toldTo(object)).toEqual([{ type: 'add-message', message, triggerResponseEnabled: filled.length === 0 }]);
  });

  test('the form shows the last of several values for a field', async () => {
    const { object } = await joined();
    for (const valor of ['1500', '2,500']) asks(object, { campo: 'peso', valor });
    await until(() => toldTo(object).length === 2);
    expect([...assistantValues.read()]).toEqual([['peso', '2,500']]);
  });

  test('a value that arrives twice does not undo the visitor’s correction', async () => {
    const { object } = await joined();
    const ask = () => asks(object, { campo: 'nombre', valor: 'Ana' }, { id: 'same' });
    ask();
    await until(() => assistantValues.read().size === 1);
    assistantValues.set(new Map());
    ask();
    await soon();
    expect(assistantValues.read().size).toBe(0);
  });

  test.each([
    ['an unknown tool', { campo: 'nombre', valor: 'Ana' }, 'enviar'],
    ['an empty tool call', undefined, ''],
  ])('a value from %s is ignored, and the call continues', async (_, written, name) => {
    const { object, state } = await joined();
    asks(object, written, { name });
    object.says({ type: 'tool-calls' });
    await soon();
    expect([assistantValues.read().size, toldTo(object)]).toEqual([0, []]);
    expect(state().kind).toBe('connected');
  });

  test('a value that arrives after the call is ignored', async () => {
    const { call, object } = await joined();
    call.stop();
    asks(object, { campo: 'nombre', valor: 'Ana' });
    await soon();
    expect(assistantValues.read().size).toBe(0);
  });
});

const room = { body: { id: 'x', webCallUrl: 'https://x.daily.co/r' } };

test('a call with a refused key returns to idle, with the service’s error message', async () => {
  const { call, state, states } = begin({ key: 'otra' });
  call.start();
  await until(() => state().kind === 'idle');
  expect(state()).toMatchObject({ ending: { kind: 'failed', failure: { kind: 'broken', message: 'Invalid Key.' } } });
  await soon();
  expect(states).toEqual(['initializing', 'idle']);
  call.start();
  await until(() => service.asked.length === 2);
});

test.each([
  ['the connection breaks during the request', { lost: true }, 'fetch failed'],
  ['the answer is unreadable', { text: '<html>' }, undefined],
  ['the room is refused', room, 'no-room'],
])('a call returns to idle when %s, and the next call works', async (_, answer, message) => {
  let refuses = message === 'no-room';
  const begun = begin({
    prepare: (object) => {
      if (refuses) object.joining = Promise.reject(new Error('no-room'));
      object.joining.catch(() => undefined);
    },
  });
  service.answer = () => answer;
  begun.call.start();
  await until(() => begun.state().kind === 'idle');
  expect(begun.state()).toMatchObject({
    ending: { kind: 'failed', failure: message ? { kind: 'broken', message } : {} },
  });
  refuses = false;
  service.answer = () => room;
  await callAgain(begun);
});

const FATAL = 'connection-error end-of-life exp-room exp-token meeting-full nbf-room nbf-token not-allowed no-room';
// The library does not end the call after these errors, so our code must end the call.
test.each(FATAL.split(' '))('a call returns to idle after the fatal error %s', async (type) => {
  const begun = begin();
  begun.call.start();
  await until(() => begun.objects[0]?.state === 'joined-meeting');
  begun.objects[0]!.breaks(type, `It was ${type}`);
  const failure = { kind: 'broken', message: `It was ${type}` };
  expect(begun.state()).toMatchObject({ kind: 'idle', ending: { failure } });
  await callAgain(begun);
  expect(begun.objects[0]!.destroyed).toBe(true);
});

test.each(['assistant-ended-call', 'customer-ended-call'])('a call ended by %s becomes idle', async (reason) => {
  const { object, state } = await joined();
  if (reason === 'customer-ended-call') await object.leave();
  else object.says({ type: 'status-update', status: 'ended', endedReason: reason });
  object.breaks('ejected', 'Meeting has ended');
  expect(state()).toEqual({ kind: 'idle', ending: { kind: 'ended', reason } });
});

test('a call returns to idle when the visitor denies the microphone', async () => {
  const { object, state } = await joined();
  const message = 'Permission denied';
  object.emit('camera-error', { errorMsg: { errorMsg: message }, error: { type: 'permissions', msg: message } });
  expect(state()).toMatchObject({ ending: { failure: { kind: 'microphone', message } } });
  await until(() => object.destroyed);
});

test('a call returns to idle when its room does not respond for 80 s', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { call, objects, state } = begin({ prepare: (object) => void (object.joining = new Promise(() => {})) });
  call.start();
  // The service answers over a real socket, whose events the fake timers do not advance.
  const realTurn = () => new Promise((resolve) => setImmediate(resolve));
  while (objects.at(-1)?.state !== 'joining-meeting') {
    await vi.advanceTimersByTimeAsync(0);
    await realTurn();
  }
  await vi.advanceTimersByTimeAsync(79_900);
  expect(state().kind).toBe('initializing');
  await vi.advanceTimersByTimeAsync(100);
  expect(state()).toEqual({ kind: 'idle', ending: { kind: 'failed', failure: { kind: 'broken' } } });
  expect(objects[0]!.destroyed).toBe(true);
});

test('a call returns to idle when the library fails to load', async () => {
  const call = new Call(() => Promise.reject(new Error('chunk')), noTool);
  call.start();
  await until(() => call.view.read().state.kind === 'idle');
  expect(call.view.read().state).toMatchObject({ ending: { failure: { kind: 'not-initialized' } } });
});

test('a call returns to idle within 5 s even if leaving its room never ends', async () => {
  const { call, object } = await joined();
  object.leaving = new Promise(() => {});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  call.stop();
  call.start();
  await vi.advanceTimersByTimeAsync(4900);
  expect(service.asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(100);
  vi.useRealTimers();
  await until(() => service.asked.length === 2);
});

test('a call ended while its library loads never starts', async () => {
  const { promise: library, resolve: come } = Promise.withResolvers<void>();
  replaceCallObjects();
  const call = new Call(async (hear) => {
    await library;
    return openLine({ publicKey: KEY, assistantId: 'a', baseUrl: service.url }, hear);
  }, noTool);
  call.start();
  call.stop();
  come();
  await soon();
  expect(service.asked).toEqual([]);
  expect(call.view.read().state.kind).toBe('idle');
});

test('a call that is stopped before the service has answered does not open the microphone', async () => {
  const { call, objects, states } = begin();
  service.answer = () => ({ after: 60, body: { id: 'x', webCallUrl: 'https://x.daily.co/r' } });
  call.start();
  await until(() => service.asked.length === 1);
  call.stop();
  await until(() => objects.length === 1);
  await soon();
  expect(objects[0]!.destroyed).toBe(true);
  expect(objects[0]!.done.map(([what]) => what)).not.toContain('join');
  expect(states).toEqual(['initializing', 'idle']);
});

test('a stopped call does not disturb a call started right after it', async () => {
  const begun = begin();
  service.answer = () => ({ after: 60, body: { id: 'x', webCallUrl: 'https://x.daily.co/r' } });
  begun.call.start();
  await until(() => service.asked.length === 1);
  begun.call.stop();
  begun.call.start();
  await until(() => begun.objects.length === 2 && begun.objects[1]!.state === 'joined-meeting');
  expect(begun.objects[0]!.destroyed).toBe(true);
  begun.objects[1]!.says('listening');
  await until(() => begun.state().kind === 'connected');
});

test('a call that is stopped while it joins its room leaves the room', async () => {
  const begun = begin({ prepare: (object) => void (object.joining = new Promise(() => {})) });
  begun.call.start();
  await until(() => begun.objects[0]?.state === 'joining-meeting');
  begun.call.stop();
  await until(() => begun.objects[0]!.destroyed);
  begun.call.start();
  await until(() => begun.objects[1]?.state === 'joining-meeting');
  expect(begun.state().kind).toBe('initializing');
});

test('a call that is stopped before the assistant listens still ends', async () => {
  const { call, objects, state } = begin();
  call.start();
  await until(() => objects[0]?.state === 'joined-meeting');
  call.stop();
  await until(() => objects[0]!.state === 'left-meeting');
  objects[0]!.says('listening');
  expect(state().kind).toBe('idle');
});

test('a call continues when an audio processor fails, or cannot be turned off', async () => {
  const { object, state } = await joined();
  for (const inputSettings of [async () => undefined, () => Promise.reject(new Error('KrispInitError: Canceled'))]) {
    object.inputSettings = inputSettings;
    object.emit('nonfatal-error', { type: 'audio-processor-error', errorMsg: 'krisp' });
    await soon();
  }
  expect(state().kind).toBe('connected');
});

test('the message of an error is found in nested objects, and is always text', () => {
  expect(textOf({ type: 'daily-error', error: { message: { type: 'x', msg: 'deep' } } })).toBe('deep');
  expect(textOf({ error: { message: { message: ['a', 'b'] } } })).toBe('a, b');
  expect(textOf({ error: { errorMsg: { errorMsg: 'denied' } } })).toBe('denied');
  const circle: Record<string, unknown> = {};
  circle['error'] = circle;
  for (const nothing of [{}, undefined, { error: {} }, circle, { error: { message: '  ' } }])
    expect(textOf(nothing)).toBeUndefined();
});
