import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { JSHandle, Page } from '@playwright/test';
import { carry, expect, test } from './voice-visitor.ts';

// The rules of the call library, in a call, as the site ships it and under its policy. Our page asks for none of these
// things; the tests hold the library to them.

type Room = Record<string, (...what: unknown[]) => unknown>;
/** One of the library's own screens, as it is asked for. */
interface Screen {
  readonly options: object;
  readonly names?: unknown;
}

type Step = ((room: Room) => unknown) | Screen;

interface Library {
  readonly getDailyCallObject: () => Room & { readonly constructor: Room };
  readonly start: (assistant: string) => Promise<unknown>;
  readonly on: (event: string, listener: () => void) => void;
}

let page: Page;
let room: JSHandle<Room>;
let said: string[];

test.beforeAll(async ({ browser, configured: { origin, directory, service } }) => {
  const context = await browser.newContext();
  await carry(context, 'serves');
  service.manner = 'answers';
  page = await context.newPage();
  page.on('console', (message) => said.push(message.text()));
  said = [];
  const names = await readdir(path.join(directory, 'dist/assets'));
  const chunk = `/assets/${names.find((name) => /^vapi-[\w-]{8}\.js$/.test(name))}`;
  await page.goto(origin);
  room = await page.evaluateHandle(
    async ([library, api]) => {
      const parts = Object.values((await import(library!)) as Record<string, unknown>);
      // What a CommonJS module exports stands behind a function.
      const opened = parts.map((part) => (typeof part === 'function' ? (part as () => unknown)() : part));
      const { default: Vapi } = opened.find((part) => part && typeof part === 'object' && 'default' in part) as {
        default: new (...parameters: unknown[]) => Library;
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

/** What is thrown or, where that is a manual of its own, what is said on the console. */
async function refusalOf(step: Step): Promise<string> {
  said.length = 0;
  const done = typeof step === 'function' ? room.evaluate(step) : room.evaluate(openScreen, step);
  const thrown = await done.then(
    () => '',
    (error: Error) => error.message,
  );
  return [thrown, ...said].filter(Boolean).join('\n');
}

function openScreen(call: Room, { options, names }: Screen): void {
  const library = call.constructor as never as Record<string, (place: Element, options: object) => Room>;
  const screen = library['createFrame']!(document.body, { allowMultipleCallInstances: true, ...options });
  if (names !== undefined) screen['setShowNamesMode']!(names);
}

const describe = (step: Step) => (typeof step === 'function' ? String(step) : JSON.stringify(step));

function rule(name: string, allowed: readonly Step[], refused: readonly (readonly [Step, reason: string])[]): void {
  test(name, async () => {
    for (const step of allowed) expect(await refusalOf(step), describe(step)).toBe('');
    for (const [step, reason] of refused) expect(await refusalOf(step), describe(step)).toContain(reason);
  });
}

rule(
  'a number is dialled as a plus sign followed by digits',
  [(call) => call['startDialOut']!({ phoneNumber: '+521' })],
  [
    [(call) => call['startDialOut']!({ phoneNumber: '521' }), 'must be valid phone number as per E.164'],
    [(call) => call['startDialOut']!({ phoneNumber: '+52 1' }), 'must be valid phone number as per E.164'],
    [(call) => call['startDialOut']!({ phoneNumber: 521 }), 'phoneNumber must be a string'],
    [(call) => call['startDialOut']!({}), 'either a sip uri or phone number must be provided'],
  ],
);

rule(
  'the video codec of a dial-out is a non-empty array of H264 or VP8',
  [(call) => call['startDialOut']!({ sipUri: 'sip:a@b', codecs: { video: ['H264', 'VP8'] } })],
  [
    [(call) => call['startDialOut']!({ sipUri: 'sip:a@b', codecs: { video: 'H264' } }), 'video codec must be an array'],
    [
      (call) => call['startDialOut']!({ sipUri: 'sip:a@b', codecs: { video: [] } }),
      'video codec array specified but empty',
    ],
    [(call) => call['startDialOut']!({ sipUri: 'sip:a@b', codecs: { video: [1] } }), 'video codec must be a string'],
    [
      (call) => call['startDialOut']!({ sipUri: 'sip:a@b', codecs: { video: ['VP9'] } }),
      'video codec must be H264 or VP8',
    ],
  ],
);

rule(
  'the caller id of a dial-out is a string, and not for SIP',
  [(call) => call['startDialOut']!({ phoneNumber: '+52', callerId: 'x' })],
  [
    [(call) => call['startDialOut']!({ phoneNumber: '+52', callerId: 5 }), 'callerId must be a string'],
    [(call) => call['startDialOut']!({ sipUri: 'sip:a@b', callerId: 'x' }), 'callerId not allowed with sipUri'],
  ],
);

rule(
  'a display name is a string shorter than 200',
  [(call) => call['startDialOut']!({ phoneNumber: '+52', displayName: 'd'.repeat(199) })],
  [
    [
      (call) => call['startDialOut']!({ phoneNumber: '+52', displayName: 'd'.repeat(200) }),
      'displayName length must be less than 200',
    ],
    [(call) => call['startDialOut']!({ phoneNumber: '+52', displayName: 5 }), 'displayName must be a string'],
  ],
);

rule(
  'a user id is a string of at most 36 characters',
  [(call) => call['startDialOut']!({ phoneNumber: '+52', userId: 'u'.repeat(36) })],
  [
    [
      (call) => call['startDialOut']!({ phoneNumber: '+52', userId: 'u'.repeat(37) }),
      'userId length must be less than or equal to 36',
    ],
    [(call) => call['startDialOut']!({ phoneNumber: '+52', userId: 5 }), 'userId must be a string'],
  ],
);

rule(
  'a SIP transfer needs its session and its end point, both strings',
  [(call) => call['sipCallTransfer']!({ sessionId: 's', toEndPoint: 'sip:a@b' })],
  [
    [(call) => call['sipCallTransfer']!({ toEndPoint: '+52' }), 'requires a sessionId and toEndPoint'],
    [(call) => call['sipCallTransfer']!({ sessionId: 's' }), 'requires a sessionId and toEndPoint'],
    [
      (call) => call['sipCallTransfer']!({ sessionId: 's', toEndPoint: 5 }),
      'sessionId and toEndPoint must be of type string',
    ],
  ],
);

rule(
  'a SIP transfer goes to sip: or +',
  [(call) => call['sipCallTransfer']!({ sessionId: 's', toEndPoint: '+52' })],
  [
    [
      (call) => call['sipCallTransfer']!({ sessionId: 's', toEndPoint: 'http:x' }),
      'must starts with either "sip:" or "+"',
    ],
  ],
);

rule(
  'a SIP refer goes to a sip address only',
  [(call) => call['sipRefer']!({ sessionId: 's', toEndPoint: 'sip:a@b' })],
  [[(call) => call['sipRefer']!({ sessionId: 's', toEndPoint: '+52' }), '"toEndPoint" must be a "sip" address']],
);

rule(
  'the caller id of a transfer is for a number only',
  [(call) => call['sipCallTransfer']!({ sessionId: 's', toEndPoint: '+52', callerId: 'x' })],
  [
    [
      (call) => call['sipCallTransfer']!({ sessionId: 's', toEndPoint: 'sip:a@b', callerId: 'x' }),
      'callerId is only valid when transferring to a PSTN number',
    ],
  ],
);

rule(
  'up to 20 tones are dialled, each 0-9, A-D, * or #',
  [(call) => call['sendDTMF']!({ sessionId: 's', tones: '0123456789ABCD*#0123' })],
  [
    [(call) => call['sendDTMF']!({ sessionId: 's', tones: '12X' }), 'X is not valid DTMF tone'],
    [(call) => call['sendDTMF']!({ sessionId: 's', tones: 'a' }), 'a is not valid DTMF tone'],
    [(call) => call['sendDTMF']!({ sessionId: 's', tones: '1'.repeat(21) }), 'must be upto 20 characters'],
  ],
);

rule(
  'user data can be written as JSON and has at most 4096 characters',
  [(call) => call['setUserData']!('x'.repeat(4096))],
  [
    [(call) => call['setUserData']!('x'.repeat(4097)), 'userData is too large (4097 characters)'],
    [
      (call) => {
        const circle: Record<string, unknown> = {};
        circle['itself'] = circle;
        return call['setUserData']!(circle);
      },
      'userData must be serializable to JSON',
    ],
  ],
);

rule(
  'an app message is no larger than the room allows',
  [(call) => call['sendAppMessage']!('x'.repeat(65_534))],
  [[(call) => call['sendAppMessage']!('x'.repeat(65_535)), 'Message data too large. Max size is 65536']],
);

rule(
  'video is sent by one of six presets',
  [
    async (call) => {
      for (const video of [
        'default-video',
        'bandwidth-optimized',
        'bandwidth-and-quality-balanced',
        'quality-optimized',
        'adaptive-2-layers',
        'adaptive-3-layers',
      ])
        await call['updateSendSettings']!({ video });
    },
  ],
  [[(call) => call['updateSendSettings']!({ video: 'other' }), 'one of the supported presets: default-video']],
);

rule(
  'a screen is sent by one of four presets',
  [
    async (call) => {
      for (const screenVideo of [
        'default-screen-video',
        'detail-optimized',
        'motion-optimized',
        'motion-and-detail-balanced',
      ])
        await call['updateSendSettings']!({ screenVideo });
    },
  ],
  [
    [
      (call) => call['updateSendSettings']!({ screenVideo: 'quality-optimized' }),
      'one of the supported presets: default-screen-video',
    ],
  ],
);

rule(
  'the highest quality is low, medium or high',
  [
    async (call) => {
      for (const maxQuality of ['low', 'medium', 'high']) await call['updateSendSettings']!({ video: { maxQuality } });
    },
  ],
  [
    [
      (call) => call['updateSendSettings']!({ video: { maxQuality: 'ultra' } }),
      'maxQuality must be either low, medium or high',
    ],
  ],
);

rule(
  'encodings are low, low and medium, or all three',
  [
    async (call) => {
      const one = { maxBitrate: 1, maxFramerate: 10, scaleResolutionDownBy: 2 };
      for (const encodings of [{ low: one }, { low: one, medium: one }, { low: one, medium: one, high: one }])
        await call['updateSendSettings']!({ video: { encodings } });
    },
  ],
  [
    [
      (call) => call['updateSendSettings']!({ video: { encodings: { medium: { maxBitrate: 1 } } } }),
      'Encodings must be defined as: low, low and medium, or low, medium and high.',
    ],
  ],
);

rule(
  'a background is blurred by more than 0 and at most 1',
  [
    (call) =>
      call['updateInputSettings']!({ video: { processor: { type: 'background-blur', config: { strength: 0.01 } } } }),
    (call) =>
      call['updateInputSettings']!({ video: { processor: { type: 'background-blur', config: { strength: 1 } } } }),
  ],
  [
    [
      (call) =>
        call['updateInputSettings']!({ video: { processor: { type: 'background-blur', config: { strength: 0 } } } }),
      'expected: {0 < strength <= 1}, got: 0',
    ],
    [
      (call) =>
        call['updateInputSettings']!({ video: { processor: { type: 'background-blur', config: { strength: 1.1 } } } }),
      'expected: {0 < strength <= 1}, got: 1.1',
    ],
  ],
);

rule(
  'a background picture of the house is a whole number from 1 to 10',
  [
    (call) =>
      call['updateInputSettings']!({ video: { processor: { type: 'background-image', config: { source: 1 } } } }),
    (call) =>
      call['updateInputSettings']!({ video: { processor: { type: 'background-image', config: { source: 10 } } } }),
  ],
  [
    [
      (call) =>
        call['updateInputSettings']!({ video: { processor: { type: 'background-image', config: { source: 0 } } } }),
      'must be an int, > 0, <= 10',
    ],
    [
      (call) =>
        call['updateInputSettings']!({ video: { processor: { type: 'background-image', config: { source: 11 } } } }),
      'must be an int, > 0, <= 10',
    ],
    [
      (call) =>
        call['updateInputSettings']!({ video: { processor: { type: 'background-image', config: { source: 1.5 } } } }),
      'must be an int, > 0, <= 10',
    ],
  ],
);

rule(
  'the volume of a media player is 0 to 2, and it plays or pauses',
  [
    (call) => call['updateRemoteMediaPlayer']!({ session_id: 's', settings: { volume: 0 } }),
    (call) => call['updateRemoteMediaPlayer']!({ session_id: 's', settings: { volume: 2, state: 'pause' } }),
  ],
  [
    [
      (call) => call['updateRemoteMediaPlayer']!({ session_id: 's', settings: { volume: -0.1 } }),
      'must be between 0.0 - 2.0',
    ],
    [
      (call) => call['updateRemoteMediaPlayer']!({ session_id: 's', settings: { volume: 2.1 } }),
      'must be between 0.0 - 2.0',
    ],
    [
      (call) => call['updateRemoteMediaPlayer']!({ session_id: 's', settings: { state: 'stop' } }),
      'Invalid value for RemoteMediaPlayerSettings.state',
    ],
  ],
);

rule(
  'levels are observed no more often than every 100 ms',
  [(call) => call['startRemoteParticipantsAudioLevelObserver']!(100)],
  [[(call) => call['startRemoteParticipantsAudioLevelObserver']!(99), 'greater than or equal to 100 milliseconds']],
);

rule(
  'the name of a custom track has at most 50 characters',
  [
    (call) =>
      call['startCustomTrack']!({
        track: (window as never as { callMachine: { microphone: unknown } }).callMachine.microphone,
        trackName: 't'.repeat(50),
      }),
  ],
  [
    [
      (call) =>
        call['startCustomTrack']!({
          track: (window as never as { callMachine: { microphone: unknown } }).callMachine.microphone,
          trackName: 't'.repeat(51),
        }),
      'must not be more than 50 characters',
    ],
  ],
);

rule(
  'session data has at most 102400 characters',
  [(call) => call['setMeetingSessionData']!({ a: 'x'.repeat(102_392) })],
  [[(call) => call['setMeetingSessionData']!({ a: 'x'.repeat(102_393) }), 'Maximum size suppported is 102400']],
);

rule(
  'tray buttons, integrations and shown names are for the library’s own screens, which a call of ours has not',
  [],
  [
    [(call) => call['updateCustomTrayButtons']!({}), "only supported as part of Daily's Prebuilt"],
    [(call) => call['setCustomIntegrations']!({}), "only supported as part of Daily's Prebuilt"],
    [(call) => call['setShowNamesMode']!('always'), "only supported as part of Daily's Prebuilt"],
  ],
);

const trayButton = (what: object): Screen => ({
  options: { customTrayButtons: { a: { iconPath: 'https://x/y.png', label: 'l', tooltip: 't', ...what } } },
});
const integration = (what: object): Screen => ({ options: { customIntegrations: { a: what } } });
const tiles = (maxTilesPerPage: number): Screen => ({ options: { layoutConfig: { grid: { maxTilesPerPage } } } });
const showNames = (names: unknown): Screen => ({ options: {}, names });

rule(
  'a tray button looks default, sidebar-open or active',
  ['default', 'sidebar-open', 'active'].map((look) => trayButton({ visualState: look })),
  [
    [trayButton({ visualState: 'open' }), "visualState should be 'default' | 'sidebar-open' | 'active'. Got: open"],
    [trayButton({ iconPath: 'y' }), 'iconPath should be a url'],
  ],
);

rule(
  'an integration stands in main or sidebar, has a label, and src or srcdoc',
  ['main', 'sidebar'].map((place) => integration({ label: 'l', location: place, src: 'https://x/' })),
  [
    [integration({ label: 'l', location: 'footer', src: 'https://x/' }), "location should be 'main' | 'sidebar'"],
    [integration({ label: 'l', location: 'main', src: 'https://x/', srcdoc: 'y' }), 'cannot have both src and srcdoc'],
    [integration({ location: 'main', src: 'https://x/' }), 'label is required'],
  ],
);

rule('a page of the grid has at most 49 tiles', [tiles(49)], [[tiles(50), "maxTilesPerPage can't be larger than 49"]]);

rule('names are shown always, never or false', ['always', 'never', false].map(showNames), [
  [showNames('sometimes'), 'setShowNamesMode argument should be "always", "never", or false'],
]);

test('a call object is new, then joined, then left', async () => {
  const states = await room.evaluate(async (call) => {
    const made = (call.constructor as never as Room)['createCallObject']!({ allowMultipleCallInstances: true }) as Room;
    const before = made['meetingState']!();
    const during = call['meetingState']!();
    await call['leave']!();
    return [before, during, call['meetingState']!()];
  });
  expect(states).toEqual(['new', 'joined-meeting', 'left-meeting']);
});
