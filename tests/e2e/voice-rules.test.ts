import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { JSHandle, Page } from '@playwright/test';
import { KEY, Library, replaceCallObjects, startVoiceService, type CallObject } from '../integration/voice-service.ts';
import { carry, expect, test as withPages } from './voice-visitor.ts';

// The specification's rules for the call library, a row each. Our page asks for few of these things; the tests hold the
// library, as it is pinned, to all of them. What our own call makes of it is in integration/voice-call.test.ts.

/** All the rows share one page, or need none. */
const test = withPages.extend({ quiet: async ({}, use) => use({ allow: () => 0 }) });

test.describe('in a call, as the site ships it', () => {
  type Room = Record<string, (...what: unknown[]) => unknown>;
  interface Shipped {
    readonly getDailyCallObject: () => Room;
    readonly start: (assistant: string) => Promise<unknown>;
    readonly on: (event: string, listener: () => void) => void;
  }
  type Rule = readonly [
    rule: string,
    method: string,
    takes: readonly unknown[],
    refuses: Readonly<Record<string, readonly unknown[]>>,
  ];

  const dial = (more: object) => ({ phoneNumber: '+52', ...more });
  const dialSip = (more: object) => ({ sipUri: 'sip:a@b', ...more });
  const withCodecs = (video: unknown) => dialSip({ codecs: { video } });
  const transfer = (toEndPoint: unknown, more: object = {}) => ({ sessionId: 's', toEndPoint, ...more });
  const tones = (text: string) => ({ sessionId: 's', tones: text });
  const background = (type: string, config: object) => ({ video: { processor: { type, config } } });
  const blurred = (strength: number) => background('background-blur', { strength });
  const pictured = (source: number) => background('background-image', { source });
  const player = (settings: object) => ({ session_id: 's', settings });
  const track = (length: number) => ({ track: 'the microphone', trackName: 't'.repeat(length) });
  const one = { maxBitrate: 1, maxFramerate: 10, scaleResolutionDownBy: 2 };
  const encoded = (encodings: object) => ({ video: { encodings } });
  const button = { iconPath: 'https://x/y.png', label: 'l', tooltip: 't' };
  const trayButton = (what: object) => ({ customTrayButtons: { a: { ...button, ...what } } });
  const integration = (what: object) => ({ customIntegrations: { a: what } });
  const tiles = (maxTilesPerPage: number) => ({ layoutConfig: { grid: { maxTilesPerPage } } });
  const circle: Record<string, unknown> = {};
  circle['itself'] = circle;
  const source = { src: 'https://x/' };
  const NOT_E164 = 'must be valid phone number as per E.164';
  const NOT_TWO = 'requires a sessionId and toEndPoint';
  const PREBUILT = "only supported as part of Daily's Prebuilt";
  const VIDEO = ['default-video', 'bandwidth-optimized', 'bandwidth-and-quality-balanced', 'quality-optimized'];
  const SCREEN = ['default-screen-video', 'detail-optimized', 'motion-optimized', 'motion-and-detail-balanced'];

  // oxfmt-ignore
  const RULES: readonly Rule[] = [
    ['a number is dialled as a plus sign followed by digits', 'startDialOut', [dial({ phoneNumber: '+521' })], {
      [NOT_E164]: [{ phoneNumber: '521' }, { phoneNumber: '+52 1' }],
      'phoneNumber must be a string': [{ phoneNumber: 521 }],
      'either a sip uri or phone number must be provided': [{}] }],
    ['the video codec of a dial-out is a non-empty array of H264 or VP8', 'startDialOut', [withCodecs(['H264', 'VP8'])], {
      'video codec must be an array': [withCodecs('H264')],
      'video codec array specified but empty': [withCodecs([])],
      'video codec must be a string': [withCodecs([1])],
      'video codec must be H264 or VP8': [withCodecs(['VP9'])] }],
    ['the caller id of a dial-out is a string, and not for SIP', 'startDialOut', [dial({ callerId: 'x' })], {
      'callerId must be a string': [dial({ callerId: 5 })],
      'callerId not allowed with sipUri': [dialSip({ callerId: 'x' })] }],
    ['a display name is a string shorter than 200', 'startDialOut', [dial({ displayName: 'd'.repeat(199) })], {
      'displayName length must be less than 200': [dial({ displayName: 'd'.repeat(200) })],
      'displayName must be a string': [dial({ displayName: 5 })] }],
    ['a user id is a string of at most 36 characters', 'startDialOut', [dial({ userId: 'u'.repeat(36) })], {
      'userId length must be less than or equal to 36': [dial({ userId: 'u'.repeat(37) })],
      'userId must be a string': [dial({ userId: 5 })] }],
    ['a SIP transfer needs its session and its end point, both strings, and goes to sip: or +', 'sipCallTransfer',
      [transfer('sip:a@b'), transfer('+52')], {
        [NOT_TWO]: [{ toEndPoint: '+52' }, { sessionId: 's' }],
        'sessionId and toEndPoint must be of type string': [transfer(5)],
        'must starts with either "sip:" or "+"': [transfer('http:x')] }],
    ['a SIP refer goes to a sip address only', 'sipRefer', [transfer('sip:a@b')], {
      '"toEndPoint" must be a "sip" address': [transfer('+52')] }],
    ['the caller id of a transfer is for a number only', 'sipCallTransfer', [transfer('+52', { callerId: 'x' })], {
      'callerId is only valid when transferring to a PSTN number': [transfer('sip:a@b', { callerId: 'x' })] }],
    ['up to 20 tones are dialled, each 0-9, A-D, * or #', 'sendDTMF', [tones('0123456789ABCD*#0123')], {
      'X is not valid DTMF tone': [tones('12X')],
      'a is not valid DTMF tone': [tones('a')],
      'must be upto 20 characters': [tones('1'.repeat(21))] }],
    ['user data can be written as JSON and has at most 4096 characters', 'setUserData', ['x'.repeat(4096)], {
      'userData is too large (4097 characters)': ['x'.repeat(4097)],
      'userData must be serializable to JSON': [circle] }],
    ['an app message is no larger than the room allows', 'sendAppMessage', ['x'.repeat(65_534)], {
      'Message data too large. Max size is 65536': ['x'.repeat(65_535)] }],
    ['video is sent by one of six presets', 'updateSendSettings',
      [...VIDEO, 'adaptive-2-layers', 'adaptive-3-layers'].map((video) => ({ video })), {
        'one of the supported presets: default-video': [{ video: 'other' }] }],
    ['a screen is sent by one of four presets', 'updateSendSettings', SCREEN.map((screenVideo) => ({ screenVideo })), {
      'one of the supported presets: default-screen-video': [{ screenVideo: 'quality-optimized' }] }],
    ['the highest quality is low, medium or high', 'updateSendSettings',
      ['low', 'medium', 'high'].map((maxQuality) => ({ video: { maxQuality } })), {
        'maxQuality must be either low, medium or high': [{ video: { maxQuality: 'ultra' } }] }],
    ['encodings are low, low and medium, or all three', 'updateSendSettings',
      [encoded({ low: one }), encoded({ low: one, medium: one }), encoded({ low: one, medium: one, high: one })], {
        'Encodings must be defined as: low, low and medium, or low, medium and high.': [encoded({ medium: one })] }],
    ['a background is blurred by more than 0 and at most 1', 'updateInputSettings', [blurred(0.01), blurred(1)], {
      'expected: {0 < strength <= 1}, got: 0': [blurred(0)],
      'expected: {0 < strength <= 1}, got: 1.1': [blurred(1.1)] }],
    ['a background picture of the house is a whole number from 1 to 10', 'updateInputSettings', [pictured(1), pictured(10)], {
      'must be an int, > 0, <= 10': [pictured(0), pictured(11), pictured(1.5)] }],
    ['the volume of a media player is 0 to 2, and it plays or pauses', 'updateRemoteMediaPlayer',
      [player({ volume: 0 }), player({ volume: 2, state: 'pause' })], {
        'must be between 0.0 - 2.0': [player({ volume: -0.1 }), player({ volume: 2.1 })],
        'Invalid value for RemoteMediaPlayerSettings.state': [player({ state: 'stop' })] }],
    ['levels are observed no more often than every 100 ms', 'startRemoteParticipantsAudioLevelObserver', [100], {
      'greater than or equal to 100 milliseconds': [99] }],
    ['the name of a custom track has at most 50 characters', 'startCustomTrack', [track(50)], {
      'must not be more than 50 characters': [track(51)] }],
    ['session data has at most 102400 characters', 'setMeetingSessionData', [{ a: 'x'.repeat(102_392) }], {
      'Maximum size suppported is 102400': [{ a: 'x'.repeat(102_393) }] }],
    ['tray buttons are for the library’s own screens, which a call of ours has not', 'updateCustomTrayButtons', [], { [PREBUILT]: [{}] }],
    ['and so are integrations', 'setCustomIntegrations', [], { [PREBUILT]: [{}] }],
    ['and shown names', 'setShowNamesMode', [], { [PREBUILT]: ['always'] }],
    ['a tray button looks default, sidebar-open or active', 'createFrame',
      ['default', 'sidebar-open', 'active'].map((visualState) => trayButton({ visualState })), {
        "visualState should be 'default' | 'sidebar-open' | 'active'. Got: open": [trayButton({ visualState: 'open' })],
        'iconPath should be a url': [trayButton({ iconPath: 'y' })] }],
    ['an integration stands in main or sidebar, has a label, and src or srcdoc', 'createFrame',
      ['main', 'sidebar'].map((location) => integration({ label: 'l', location, ...source })), {
        "location should be 'main' | 'sidebar'": [integration({ label: 'l', location: 'footer', ...source })],
        'cannot have both src and srcdoc': [integration({ label: 'l', location: 'main', ...source, srcdoc: 'y' })],
        'label is required': [integration({ location: 'main', ...source })] }],
    ['a page of the grid has at most 49 tiles', 'createFrame', [tiles(49)], {
      "maxTilesPerPage can't be larger than 49": [tiles(50)] }],
    ['names are shown always, never or false', 'setShowNamesMode of a frame', ['always', 'never', false], {
      'setShowNamesMode argument should be "always", "never", or false': ['sometimes'] }],
  ];

  let page: Page;
  let room: JSHandle<Room>;

  test.beforeAll(async ({ browser, configured: { origin, directory, service } }) => {
    const context = await browser.newContext();
    await carry(context, 'serves');
    service.manner = 'answers';
    page = await context.newPage();
    const names = await readdir(path.join(directory, 'dist/assets'));
    const chunk = `/assets/${names.find((name) => /^vapi-[\w-]{8}\.js$/.test(name))}`;
    await page.goto(origin);
    room = await page.evaluateHandle(
      async ([library, api]) => {
        const parts = Object.values((await import(library!)) as Record<string, unknown>);
        // What a CommonJS module exports stands behind a function.
        const opened = parts.map((part) => (typeof part === 'function' ? (part as () => unknown)() : part));
        const { default: Vapi } = opened.find((part) => part && typeof part === 'object' && 'default' in part) as {
          default: new (...parameters: unknown[]) => Shipped;
        };
        const vapi = new Vapi('llave-publica', api, { avoidEval: true });
        vapi.on('error', () => undefined);
        const begun = new Promise<void>((resolve) => vapi.on('call-start', resolve));
        void vapi.start('asistente');
        await begun;
        return vapi.getDailyCallObject();
      },
      [chunk, 'http://voice.localhost'],
    );
  });
  test.afterAll(() => page.context().close());

  /** For each argument what is thrown or, where that is a manual of its own, what is said on the console. */
  const refusalsOf = (method: string, all: readonly unknown[]) =>
    room.evaluate(
      async (call, [name, each]) => {
        const library = call.constructor as never as Record<string, (place: Element, options: object) => Room>;
        const createFrame = (options = {}) =>
          library['createFrame']!(document.body, { allowMultipleCallInstances: true, ...options });
        const { microphone } = (window as never as { callMachine: { microphone: unknown } }).callMachine;
        const does: Room = {
          createFrame: (options) => createFrame(options as object),
          'setShowNamesMode of a frame': (names) => createFrame()['setShowNamesMode']!(names),
          startCustomTrack: (what) => call['startCustomTrack']!({ ...(what as object), track: microphone }),
        };
        const { error, warn, log } = console;
        let said: unknown[] = [];
        console.error = console.warn = console.log = (...what) => void said.push(...what);
        const refusals: string[] = [];
        for (const what of each) {
          said = [];
          try {
            await (does[name] ? does[name](what) : call[name]!(what));
          } catch (thrown) {
            said.unshift((thrown as Error).message ?? thrown);
          }
          refusals.push(said.join('\n'));
        }
        Object.assign(console, { error, warn, log });
        return refusals;
      },
      [method, all] as const,
    );

  for (const [rule, method, takes, refuses] of RULES)
    test(rule, async () => {
      const refused = Object.entries(refuses).flatMap(([reason, all]) => all.map((what) => ({ reason, what })));
      const refusals = await refusalsOf(method, [...takes, ...refused.map(({ what }) => what)]);
      expect(refusals).toEqual([
        ...takes.map(() => ''),
        ...refused.map(({ reason }) => expect.stringContaining(reason)),
      ]);
    });

  test('a call object is new, then joined, then left', async () => {
    const states = await room.evaluate(async (call) => {
      const library = call.constructor as never as Room;
      const made = library['createCallObject']!({ allowMultipleCallInstances: true }) as Room;
      const before = made['meetingState']!();
      const during = call['meetingState']!();
      await call['leave']!();
      return [before, during, call['meetingState']!()];
    });
    expect(states).toEqual(['new', 'joined-meeting', 'left-meeting']);
  });
});

test.describe('around a call, in Node over another call object', () => {
  interface Told {
    readonly type?: string;
    readonly endedReason?: string;
  }
  let service: Awaited<ReturnType<typeof startVoiceService>>;
  let restore: (() => void)[] = [];
  test.beforeEach(async () => void (service = await startVoiceService()));
  test.afterEach(async () => {
    for (const undo of restore.splice(0)) undo();
    await service.close();
  });

  /** Until the end of the test. */
  function replaceGlobal(name: string, value: unknown): void {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    restore.push(() => {
      if (before) Object.defineProperty(globalThis, name, before);
      else Reflect.deleteProperty(globalThis, name);
    });
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }

  function make() {
    const objects = replaceCallObjects();
    const vapi = new Library(KEY, service.url, { avoidEval: true });
    const told: [name: string, what: unknown][] = [];
    for (const name of ['call-start', 'call-end', 'speech-start', 'volume-level', 'message', 'error'] as const)
      vapi.on(name, (what?: unknown) => told.push([name, what]));
    restore.push(() => void vapi.stop());
    const of = (name: string) => told.filter(([other]) => other === name).map(([, what]) => what as Told);
    return { vapi, objects, told, of };
  }

  async function joined() {
    const made = make();
    await made.vapi.start('asistente');
    return { ...made, object: made.objects[0]! };
  }

  const answers = (more: object) =>
    void (service.answer = () => ({ body: { id: 'c', webCallUrl: 'https://vapi.daily.co/room-1', ...more } }));
  const soon = () => new Promise((resolve) => setTimeout(resolve, 20));
  const sent = (object: CallObject) =>
    object.done.filter(([what]) => what === 'send').map(([, text]) => JSON.parse(text as string) as Told);

  test('starting without an assistant, squad or workflow throws, and asks nothing', async () => {
    const { vapi, of } = make();
    await expect(vapi.start()).rejects.toThrow('Assistant or Squad or Workflow must be provided.');
    expect(of('error')).toMatchObject([{ type: 'validation-error', stage: 'input-validation' }]);
    expect(service.asked).toEqual([]);
  });

  test('ids and whole assistants, squads and workflows, with their overrides, go out under their own names', async () => {
    const overrides = [{ variableValues: {} }, { roomDeleteOnUserLeaveEnabled: false }] as const;
    const flow = { name: 'flujo', nodes: [], edges: [] };
    await make().vapi.start({ name: 'uno' }, { firstMessage: 'hola' }, 'grupo', flow, ...overrides);
    expect(service.asked[0]!.body).toEqual({
      assistant: { name: 'uno' },
      assistantOverrides: { firstMessage: 'hola' },
      squadId: 'grupo',
      workflow: flow,
      workflowOverrides: { variableValues: {} },
      roomDeleteOnUserLeaveEnabled: false,
    });
  });

  test('a call is joined where the answer says, heard every 100 ms, and has begun when the assistant listens', async () => {
    const { object, told } = await joined();
    expect(object.options).toEqual({ audioSource: true, videoSource: false, dailyConfig: { avoidEval: true } });
    const where = { url: 'https://vapi.daily.co/room-1', subscribeToTracksAutomatically: false };
    expect(object.done[0]).toEqual(['join', where]);
    expect(object.done).toContainEqual(['observe levels', 100]);
    expect(told).toEqual([]);
    object.says('listening');
    expect(told.map(([name]) => name)).toEqual(['call-start']);
  });

  test('a start is ignored while a call is started', async () => {
    const { vapi } = await joined();
    expect(await vapi.start('asistente')).toBeNull();
    expect(service.asked).toHaveLength(1);
  });

  test('a phone waits one second before it joins', async () => {
    const { vapi, objects } = make();
    const waits: unknown[] = [];
    const { setTimeout: real } = globalThis;
    replaceGlobal('navigator', { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' });
    replaceGlobal('setTimeout', (work: () => void, milliseconds: number, ...more: []) => {
      waits.push([milliseconds, objects[0]?.state]);
      return real(work, milliseconds === 1000 ? 0 : milliseconds, ...more);
    });
    await vapi.start('asistente');
    expect(waits).toContainEqual([1000, 'new']);
    expect(objects[0]!.state).toBe('joined-meeting');
  });

  test('an end is told with customer-ended-call, unless one was told already, and anew for each call', async () => {
    const { vapi, object, told, of } = await joined();
    object.says({ type: 'status-update', status: 'ended', endedReason: 'assistant-ended-call' });
    await object.leave();
    expect(of('message').map(({ endedReason }) => endedReason)).toEqual(['assistant-ended-call']);
    await soon();
    await vapi.start('asistente');
    await vapi.stop();
    const end = { type: 'status-update', status: 'ended', endedReason: 'customer-ended-call' };
    expect(told.slice(-2)).toEqual([
      ['call-end', undefined],
      ['message', end],
    ]);
  });

  test('say carries its message, whether the call ends after it and what may interrupt it', async () => {
    const { vapi, object } = await joined();
    vapi.say('Hasta luego', true);
    vapi.say('Sigo', false, true, true);
    const how = (endCallAfterSpoken: boolean, interrupts: boolean) => ({
      endCallAfterSpoken,
      interruptionsEnabled: interrupts,
      interruptAssistantEnabled: interrupts,
    });
    expect(sent(object)).toEqual([
      { type: 'say', message: 'Hasta luego', ...how(true, false) },
      { type: 'say', message: 'Sigo', ...how(false, true) },
    ]);
  });

  test('a message that cannot be read is dropped', async () => {
    replaceGlobal('console', { ...console, log: () => undefined });
    const { object, told } = await joined();
    object.says('{no');
    expect(told).toEqual([]);
  });

  test('a call that is filmed is recorded at 1280x720, and the first message waits for the film', async () => {
    answers({ artifactPlan: { videoRecordingEnabled: true } });
    const { object } = await joined();
    expect(object.options).toMatchObject({ videoSource: true });
    const film = { width: 1280, height: 720, backgroundColor: '#FF1F2D3D', layout: { preset: 'default' } };
    expect(object.done).toContainEqual(['record', film]);
    for (let again = 0; again < 2; again += 1) object.emit('recording-started', {});
    const delay = expect.any(Number);
    expect(sent(object)).toEqual([
      { type: 'control', control: 'say-first-message', videoRecordingStartDelaySeconds: delay },
    ]);
  });

  for (const [provider, video] of [
    ['tavus', true],
    ['azure', false],
  ] as const)
    test(`an assistant of ${provider} is ${video ? '' : 'not '}watched: only one whose voice is a face is`, async () => {
      answers({ assistant: { voice: { provider } } });
      const { object } = await joined();
      object.emit('participant-joined', { participant: { local: false, session_id: 's', user_name: 'Vapi Speaker' } });
      const how = { setSubscribedTracks: { audio: true, video } };
      expect(object.done.at(-1)).toEqual(['participant', { id: 's', how }]);
    });

  test('an audio processor that breaks is turned off and the microphone unmuted; only one that cannot be is an error', async () => {
    const { vapi, object, of } = await joined();
    vapi.setMuted(true);
    const breaks = () => object.emit('nonfatal-error', { type: 'audio-processor-error', errorMsg: 'krisp' });
    breaks();
    await soon();
    const off = { audio: { processor: { type: 'none' } } };
    expect(object.done.slice(-2)).toEqual([
      ['input settings', off],
      ['microphone', true],
    ]);
    expect(of('error')).toEqual([]);
    object.inputSettings = () => Promise.reject(new Error('KrispInitError: Canceled'));
    breaks();
    await soon();
    expect(of('error')).toMatchObject([{ type: 'audio-processor-recovery-error' }]);
    expect(of('call-end')).toEqual([]);
  });

  test('where the browser refuses to play, an error comes and the call never starts', async () => {
    replaceGlobal('console', { ...console, error: () => undefined });
    const play = () => Promise.reject(new DOMException('no gesture', 'NotAllowedError'));
    replaceGlobal('document', {
      createElement: () => ({ dataset: {}, play, remove: () => undefined }),
      body: { appendChild: () => undefined },
      querySelector: () => null,
    });
    replaceGlobal('MediaStream', EventTarget);
    const { object, of } = await joined();
    const participant = { local: false, session_id: 's', user_name: 'Vapi Speaker' };
    object.emit('track-started', { participant, track: { kind: 'audio' } });
    await soon();
    expect(of('error')).toMatchObject([{ type: 'audio-start-failed' }]);
    expect(sent(object)).toEqual([]);
  });

  test('without a call nothing can be muted', () => {
    expect(() => make().vapi.setMuted(true)).toThrow('Call object is not available.');
  });

  test('more than ten listeners of one event are warned of', async () => {
    const { vapi } = make();
    for (let count = vapi.listenerCount('audio'); count < 10; count += 1) vapi.on('audio', () => undefined);
    const told = once(process, 'warning') as Promise<[Error]>;
    vapi.on('audio', () => undefined);
    expect((await told)[0].message).toContain('11 audio listeners added to [Vapi]. MaxListeners is 10.');
  });
});
