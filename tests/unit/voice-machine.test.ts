import { expect, test } from 'vitest';
import { appearanceOf } from '../../src/voice/appearance.ts';
import { next, type CallEvent, type CallState } from '../../src/voice/machine.ts';

const IDLE: CallState = { kind: 'idle' };
const start: CallEvent = { type: 'start' };
const joined: CallEvent = { type: 'joined' };
const speech = (of: 'assistant' | 'visitor', started: boolean): CallEvent => ({ type: 'speech', of, started });
const ended: CallEvent = { type: 'ended', reason: 'customer-ended-call' };
const failed: CallEvent = { type: 'failed', failure: { kind: 'not-started' } };

const after = (...events: CallEvent[]) => events.reduce(next, IDLE);
const kinds = (...events: CallEvent[]) => events.map((_, at) => after(...events.slice(0, at + 1)).kind);

const [talk, hush] = [speech('assistant', true), speech('assistant', false)];
const [listen, silence] = [speech('visitor', true), speech('visitor', false)];

test('a voice call passes through initializing, connected, speaking, listening, and ends in idle', () => {
  const seen = kinds(start, joined, talk, hush, listen, ended);
  expect(seen).toEqual(['initializing', 'connected', 'speaking', 'connected', 'listening', 'idle']);
});

test('a voice call shows "speaking" while assistant and visitor speak at the same time', () => {
  const [, , ...seen] = kinds(start, joined, talk, listen, silence, listen, hush, silence);
  expect(seen).toEqual(['speaking', 'speaking', 'speaking', 'speaking', 'listening', 'connected']);
});

test.each([
  ['speaking', { isActive: true, isListening: true, isSpeaking: true }],
  ['listening', { isActive: true, isListening: true, isSpeaking: false }],
  ['active', { isActive: true, isListening: false, isSpeaking: false }],
  ['idle', { isActive: false, isListening: false, isSpeaking: false }],
])('the voice icon is %s for %o', (appearance, activity) => {
  expect(appearanceOf(activity)).toBe(appearance);
});

test('a voice event that cannot happen in the current state is ignored', () => {
  const volume = { type: 'volume', level: 1 } as const;
  const [starting, connected, listening] = [after(start), after(start, joined), after(start, joined, listen)];
  for (const [state, ...ignored] of [
    [IDLE, joined, hush, listen, ended, failed],
    [starting, start, talk, listen, volume],
    [connected, start, joined],
    [listening, start, joined],
  ] as const)
    for (const event of ignored) expect(next(state, event)).toBe(state);
});

test('volume and mute of a call do not change when assistant or visitor begins to speak', () => {
  const state = after(start, joined, { type: 'volume', level: 0.4 }, { type: 'muted', muted: true });
  for (const event of [talk, listen]) expect(next(state, event)).toMatchObject({ volume: 0.4, muted: true });
  const again = after(start, joined, { type: 'muted', muted: true }, ended, start, joined);
  expect(again).toMatchObject({ volume: 0, muted: false });
});

test('an ended or failed voice call keeps its reason until the next call', () => {
  const [hungUp, lost] = [{ reason: 'customer-ended-call' }, { failure: { kind: 'not-started' } }];
  for (const events of [[start], [start, joined], [start, joined, talk]]) {
    expect(after(...events, ended)).toEqual({ kind: 'idle', ending: { kind: 'ended', ...hungUp } });
    expect(after(...events, failed)).toEqual({ kind: 'idle', ending: { kind: 'failed', ...lost } });
  }
  expect(after(start, failed, start)).toEqual({ kind: 'initializing' });
});
