import type { LineEvent, Line } from './call.ts';

export interface Assistant {
  readonly publicKey: string;
  readonly assistantId: string;
  readonly baseUrl: string | undefined;
}

/** Errors that do not end the call. */
const HARMLESS = new Set([
  'audio-processing-setup-error',
  'audio-processor-recovery-error',
  'audio-observer-setup-error',
  'video-recording-setup-error',
]);

export const loadLibrary = () => import('@vapi-ai/web');

/**
 * Connects to the voice service. Each call needs a new Vapi object: after a fatal error, the old one ignores the next
 * start.
 */
export async function openLine(
  { publicKey, assistantId, baseUrl }: Assistant,
  report: (event: LineEvent) => void,
): Promise<Line> {
  const { default: library } = await loadLibrary();
  // Vite imports this CommonJS module as an object with the class in `default`; for Node and TypeScript it is the class
  // itself.
  const Vapi = 'default' in library ? (library.default as typeof library) : library;
  // Without `avoidEval` the library would use eval, which the security policy forbids.
  const vapi = new Vapi(publicKey, baseUrl, { avoidEval: true, alwaysIncludeMicInPermissionPrompt: true });
  let hungUp = false;
  let muted = false;
  let reason = 'customer-ended-call';

  vapi.on('call-start', () => report({ type: 'joined' }));
  vapi.on('speech-start', () => report({ type: 'speech', of: 'assistant', started: true }));
  vapi.on('speech-end', () => report({ type: 'speech', of: 'assistant', started: false }));
  vapi.on('volume-level', (level) => report({ type: 'volume', level }));
  vapi.on('message', (message: VapiMessage) => {
    if (message.type === 'status-update' && message.status === 'ended') reason = message.endedReason ?? reason;
    if (message.type === 'speech-update' && message.role === 'user')
      report({ type: 'speech', of: 'visitor', started: message.status === 'started' });
    if (message.type === 'transcript' && message.transcript)
      report({
        type: 'sentence',
        sentence: {
          of: message.role === 'user' ? 'visitor' : 'assistant',
          text: message.transcript,
          final: message.transcriptType === 'final',
        },
      });
  });
  vapi.on('message', ({ type, toolCallList }: VapiMessage) => {
    for (const { id, function: called } of (type === 'tool-calls' && toolCallList) || [])
      report({
        type: 'tool-call',
        tool: { id: String(id), name: called?.name ?? '', rawArguments: called?.arguments },
      });
  });
  vapi.on('call-end', () => report({ type: 'ended', reason }));
  vapi.on('network-connection', ({ event }: { readonly event?: string }) =>
    report({ type: 'connection', interrupted: event === 'interrupted' }),
  );
  vapi.on('error', (error: VapiError) => {
    if (HARMLESS.has(error.type ?? '')) return;
    // If the service ends the call, the library reports an error. This is a normal end.
    if (hasEnded(error)) return report({ type: 'ended', reason });
    const failure = isUnsupported(error)
      ? ({ kind: 'unavailable' } as const)
      : isEjection(error)
        ? ({ kind: 'ejected' } as const)
        : ({ kind: 'broken', message: textOf(error) } as const);
    report({ type: 'failed', failure });
  });
  // The library reports a refused microphone as a camera error, and would continue the call without sound.
  vapi.on('camera-error', (error: VapiError) =>
    report({ type: 'failed', failure: { kind: 'microphone', message: textOf(error) } }),
  );
  // If noise suppression fails, the library turns the microphone on again, even if the visitor has muted it.
  vapi.on('daily-participant-updated', ({ local }) => {
    if (local && muted && !vapi.isMuted()) vapi.setMuted(true);
  });
  vapi.on('call-start-progress', ({ stage, status }) => {
    // The visitor hung up while the call was being created. Without `stop` the call would start, with an open
    // microphone.
    if (hungUp && stage === 'daily-call-object-creation' && status === 'completed') void vapi.stop();
  });

  return {
    dial() {
      const notStarted = () => report({ type: 'failed', failure: { kind: 'not-started' } });
      // The promise may never settle, so nothing waits for it. The library reports most failures as events.
      vapi.start(assistantId).then((call) => call ?? notStarted(), notStarted);
    },
    setMuted(wanted) {
      muted = wanted;
      vapi.setMuted(wanted);
    },
    sendToolAnswer: ({ text, isRefused }) =>
      vapi.send({
        type: 'add-message',
        message: { role: 'system', content: text },
        triggerResponseEnabled: isRefused,
      }),
    async hangUp() {
      hungUp = true;
      await vapi.stop();
    },
  };
}

interface VapiMessage {
  readonly type?: string;
  readonly role?: string;
  readonly status?: string;
  readonly endedReason?: string;
  readonly transcript?: string;
  readonly transcriptType?: string;
  readonly toolCallList?: readonly {
    readonly id?: string;
    readonly function?: { readonly name?: string; readonly arguments?: unknown };
  }[];
}

interface VapiError {
  readonly type?: string;
  readonly error?: unknown;
}

/** Finds the text of an error. Libraries put it at different depths, and `message` may be an object. */
export function textOf(trouble: unknown): string | undefined {
  const seen = new Set<unknown>();
  const dig = (value: unknown): string | undefined => {
    if (typeof value === 'string') return value.trim() || undefined;
    if (Array.isArray(value)) return value.map(dig).filter(Boolean).join(', ') || undefined;
    if (typeof value !== 'object' || value === null || seen.has(value)) return undefined;
    seen.add(value);
    const { errorMsg, msg, message, error } = value as Record<string, unknown>;
    return dig(errorMsg) ?? dig(msg) ?? dig(message) ?? dig(error);
  };
  return dig((trouble as VapiError | undefined)?.error) ?? dig(trouble);
}

function isEjection({ type, error }: VapiError): boolean {
  const cause = (error as { error?: { type?: string } } | undefined)?.error?.type;
  return type === 'daily-error' && cause === 'ejected';
}

function hasEnded({ type, error }: VapiError): boolean {
  return type === 'daily-error' && /meeting has ended/i.test(textOf({ error }) ?? '');
}

function isUnsupported({ type, error }: VapiError): boolean {
  return type === 'daily-call-object-creation-error' && /WebRTC not supported/.test(textOf({ error }) ?? '');
}
