import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { JSHandle } from '@playwright/test';
import { KEY, Library, replaceCallObjects, startVoiceService } from '../integration/voice-service.ts';
import { carry, expect, test as withPages } from './voice-visitor.ts';

// Tests that the installed voice call library follows the rules in the specification. Our own code depends on few of
// these rules; integration/voice-call.test.ts tests our code.

type Room = Record<string, (...what: unknown[]) => unknown>;
/** Rule, method of the library, accepted arguments, and refused arguments keyed by a part of the error message. */
type Rule = readonly [string, string, readonly unknown[], Readonly<Record<string, readonly unknown[]>>];

const dial = (more: object) => ({ phoneNumber: '+52', ...more });
const sip = (more: object) => ({ sipUri: 'sip:a@b', ...more });
const transfer = (toEndPoint: unknown, more: object = {}) => ({ sessionId: 's', toEndPoint, ...more });
const background = (type: string, config: object) => ({ video: { processor: { type: `background-${type}`, config } } });
const blur = (strength: number) => background('blur', { strength });
const picture = (source: number) => background('image', { source });
const volume = (level: number) => ({ session_id: 's', settings: { volume: level } });
const track = (length: number) => ({ track: 'the microphone', trackName: 't'.repeat(length) });
const layer = { maxBitrate: 1, maxFramerate: 10, scaleResolutionDownBy: 2 };
const encoded = (encodings: object) => ({ video: { encodings } });
const BUTTON = { iconPath: 'https://x/', label: 'l', tooltip: 't' };
const tray = (visualState: string) => ({ customTrayButtons: { a: { ...BUTTON, visualState } } });
const integration = (location: string) => ({ customIntegrations: { a: { label: 'l', location, src: 'https://x/' } } });
const circle: Record<string, unknown> = {};
circle['itself'] = circle;

// oxfmt-ignore
const RULES: readonly Rule[] = [
  ['a dial-out goes to a plus sign followed by digits', 'startDialOut', [dial({})], { 'as per E.164': [{ phoneNumber: '521' }, { phoneNumber: '+52 1' }], 'must be a string': [{ phoneNumber: 521 }] }],
  ['a dial-out has one or more codecs, of H264 and VP8', 'startDialOut', [sip({ codecs: { video: ['H264', 'VP8'] } })], { 'must be an array': [sip({ codecs: { video: 'H264' } })], empty: [sip({ codecs: { video: [] } })], 'must be a string': [sip({ codecs: { video: [1] } })], 'H264 or VP8': [sip({ codecs: { video: ['VP9'] } })] }],
  ['a caller id is a string, and not for SIP', 'startDialOut', [dial({ callerId: 'x' })], { 'must be a string': [dial({ callerId: 5 })], 'not allowed with sipUri': [sip({ callerId: 'x' })] }],
  ['a display name is a string shorter than 200', 'startDialOut', [dial({ displayName: 'd'.repeat(199) })], { 'less than 200': [dial({ displayName: 'd'.repeat(200) })], 'must be a string': [dial({ displayName: 5 })] }],
  ['a user id is a string of at most 36 characters', 'startDialOut', [dial({ userId: 'u'.repeat(36) })], { 'less than or equal to 36': [dial({ userId: 'u'.repeat(37) })], 'must be a string': [dial({ userId: 5 })] }],
  ['a SIP transfer has a session and goes to sip: or +', 'sipCallTransfer', [transfer('sip:a@b'), transfer('+52')], { 'requires a sessionId and toEndPoint': [{ toEndPoint: '+52' }, { sessionId: 's' }], 'of type string': [transfer(5)], 'starts with either': [transfer('http:x')] }],
  ['a SIP refer goes to a sip address', 'sipRefer', [transfer('sip:a@b')], { 'must be a "sip" address': [transfer('+52')] }],
  ['a caller id of a transfer is for a number', 'sipCallTransfer', [transfer('+52', { callerId: 'x' })], { 'only valid when transferring to a PSTN': [transfer('sip:a@b', { callerId: 'x' })] }],
  ['up to 20 tones are dialled, each 0-9, A-D, * or #', 'sendDTMF', [{ sessionId: 's', tones: '0123456789ABCD*#0123' }], { 'X is not valid DTMF tone': [{ sessionId: 's', tones: '12X' }], 'upto 20': [{ sessionId: 's', tones: '1'.repeat(21) }] }],
  ['user data is JSON of at most 4096 characters', 'setUserData', ['x'.repeat(4096)], { 'too large (4097': ['x'.repeat(4097)], 'serializable to JSON': [circle] }],
  ['an app message is no larger than the room allows', 'sendAppMessage', ['x'.repeat(65_534)], { 'Max size is 65536': ['x'.repeat(65_535)] }],
  ['video is sent by one of six presets', 'updateSendSettings', ['default-video', 'bandwidth-optimized', 'bandwidth-and-quality-balanced', 'quality-optimized', 'adaptive-2-layers', 'adaptive-3-layers'].map((video) => ({ video })), { 'supported presets: default-video': [{ video: 'other' }] }],
  ['a screen is sent by one of four presets', 'updateSendSettings', ['default-screen-video', 'detail-optimized', 'motion-optimized', 'motion-and-detail-balanced'].map((screenVideo) => ({ screenVideo })), { 'supported presets: default-screen': [{ screenVideo: 'other' }] }],
  ['the highest quality is low, medium or high', 'updateSendSettings', ['low', 'medium', 'high'].map((maxQuality) => ({ video: { maxQuality } })), { 'low, medium or high': [{ video: { maxQuality: 'ultra' } }] }],
  ['encodings are low, low and medium, or all three', 'updateSendSettings', [encoded({ low: layer }), encoded({ low: layer, medium: layer }), encoded({ low: layer, medium: layer, high: layer })], { 'low and medium, or low': [encoded({ medium: layer })] }],
  ['a background is blurred by more than 0 and at most 1', 'updateInputSettings', [blur(0.01), blur(1)], { '{0 < strength <= 1}': [blur(0), blur(1.1)] }],
  ['a background picture is a whole number from 1 to 10', 'updateInputSettings', [picture(1), picture(10)], { 'int, > 0, <= 10': [picture(0), picture(11), picture(1.5)] }],
  ['the volume of a media player is 0 to 2', 'updateRemoteMediaPlayer', [volume(0), volume(2)], { 'between 0.0 - 2.0': [volume(-0.1), volume(2.1)] }],
  ['levels are observed every 100 ms at most', 'startRemoteParticipantsAudioLevelObserver', [100], { 'equal to 100 milliseconds': [99] }],
  ['the name of a custom track has at most 50 characters', 'startCustomTrack', [track(50)], { 'more than 50 characters': [track(51)] }],
  ['session data has at most 102400 characters', 'setMeetingSessionData', [{ a: 'x'.repeat(102_392) }], { 'is 102400': [{ a: 'x'.repeat(102_393) }] }],
  ['a tray button looks default, sidebar-open or active', 'createFrame', ['default', 'sidebar-open', 'active'].map(tray), { 'Got: open': [tray('open')] }],
  ['an integration stands in main or sidebar', 'createFrame', ['main', 'sidebar'].map(integration), { "should be 'main' | 'sidebar'": [integration('footer')] }],
  ['a page of the grid has at most 49 tiles', 'createFrame', [{ layoutConfig: { grid: { maxTilesPerPage: 49 } } }], { "larger than 49": [{ layoutConfig: { grid: { maxTilesPerPage: 50 } } }] }],
  ['names are shown always, never or false', 'setShowNamesMode of a frame', ['always', 'never', false], { '"always", "never", or false': ['sometimes'] }],
];

/** Test without the usual check of the console, because all rules share a page or need none. */
const test = withPages.extend({ quiet: async ({}, use) => use({ allow: () => 0 }) });

test.describe('the voice call library during a call', () => {
  let room: JSHandle<Room>;

  test.beforeAll(async ({ browser, configured: { origin, directory, service } }) => {
    const context = await browser.newContext();
    await carry(context, 'serves');
    service.manner = 'answers';
    const page = await context.newPage();
    const names = await readdir(path.join(directory, 'dist/assets'));
    const chunk = `/assets/${names.find((name) => /^vapi-[\w-]{8}\.js$/.test(name))}`;
    await page.goto(origin);
    room = await page.evaluateHandle(async (library) => {
      const parts = Object.values((await import(library)) as Record<string, unknown>);
      // The bundler wraps a CommonJS module in a function that returns the module’s exports.
      const opened = parts.map((part) => (typeof part === 'function' ? (part as () => unknown)() : part));
      const { default: Vapi } = opened.find((part) => part && typeof part === 'object' && 'default' in part) as {
        default: new (...parameters: unknown[]) => Room;
      };
      const vapi = new Vapi('llave-publica', 'http://voice.localhost', { avoidEval: true });
      vapi['on']!('error', () => undefined);
      const begun = new Promise<void>((resolve) => vapi['on']!('call-start', resolve));
      void vapi['start']!('asistente');
      await begun;
      return vapi['getDailyCallObject']!() as Room;
    }, chunk);
  });

  for (const [rule, method, takes, refuses] of RULES)
    test(rule, async () => {
      const refused = Object.entries(refuses).flatMap(([reason, all]) => all.map((what) => ({ reason, what })));
      const all = [...takes, ...refused.map(({ what }) => what)];
      // Error message that the library throws or logs for each argument; empty if the argument is accepted.
      const sentences = await room.evaluate(call, [method, all] as const);
      const expected = refused.map(({ reason }) => expect.stringContaining(reason) as unknown);
      expect(sentences).toEqual([...takes.map(() => ''), ...expected]);
    });
});

async function call(room: Room, [method, all]: readonly [string, readonly unknown[]]): Promise<string[]> {
  const library = room.constructor as never as Record<string, (place: Element, options: object) => Room>;
  const createFrame = (options = {}) =>
    library['createFrame']!(document.body, { allowMultipleCallInstances: true, ...options });
  const { microphone } = (window as never as { callMachine: { microphone: unknown } }).callMachine;
  const does: Room = {
    createFrame: (options) => createFrame(options as object),
    'setShowNamesMode of a frame': (names) => createFrame()['setShowNamesMode']!(names),
    startCustomTrack: (what) => room['startCustomTrack']!({ ...(what as object), track: microphone }),
  };
  const sentences: string[] = [];
  for (const what of all) {
    const messages: unknown[] = [];
    console.error = console.warn = console.log = (...words) => void messages.push(...words);
    const thrown = (error: Error) => void messages.unshift(error.message ?? error);
    await Promise.try(() => (does[method] ? does[method](what) : room[method]!(what))).catch(thrown);
    sentences.push(messages.join('\n'));
  }
  return sentences;
}

test('the voice call library sends assistant, squad and workflow as the voice service names them', async () => {
  const service = await startVoiceService();
  service.answer = () => ({ body: { webCallUrl: 'https://x', artifactPlan: { videoRecordingEnabled: true } } });
  const objects = replaceCallObjects();
  const vapi = new Library(KEY, service.url, { avoidEval: true });
  vapi.on('error', () => undefined);
  await expect(vapi.start()).rejects.toThrow('Assistant or Squad or Workflow must be provided.');
  const { setTimeout: real } = globalThis;
  // The library waits a second on a phone before it joins the room.
  let waits = 0;
  // Node’s fetch also sets timers, with additional arguments.
  const skip = (work: () => void, delay: number, ...rest: []) =>
    delay === 1000 ? real(work, 0, (waits += 1)) : real(work, delay, ...rest);
  Object.assign(globalThis, { setTimeout: skip });
  Object.defineProperty(globalThis, 'navigator', { value: { userAgent: 'iPhone' }, configurable: true });
  const flow = { name: 'flujo', nodes: [], edges: [] };
  await vapi.start({ name: 'uno' }, { firstMessage: 'hola' }, 'grupo', flow, { variableValues: {} });
  Object.assign(globalThis, { setTimeout: real });
  expect(waits).toBe(1);
  expect(service.asked.map(({ body }) => Object.keys(body as object).join())).toEqual([
    'assistant,assistantOverrides,squadId,workflow,workflowOverrides',
  ]);
  const film = { width: 1280, height: 720, backgroundColor: '#FF1F2D3D', layout: { preset: 'default' } };
  expect(objects[0]!.done).toContainEqual(['record', film]);
  for (let count = vapi.listenerCount('audio'); count < 10; count += 1) vapi.on('audio', () => undefined);
  const warned = once(process, 'warning') as Promise<[Error]>;
  vapi.on('audio', () => undefined);
  expect((await warned)[0].message).toContain('11 audio listeners added to [Vapi]. MaxListeners is 10.');
  void vapi.stop();
  await service.close();
});
