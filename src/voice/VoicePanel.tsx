import { FORM_ID } from '../agreements.ts';
import { useEffect, useEffectEvent, useId, type RefObject } from 'react';
import { config } from '../config.ts';
import { mainWords } from '../content/bilingual.ts';
import { voice as words } from '../content/voice.ts';
import { wantsCallBack } from '../phone/call-back.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { telephone, whatsapp as chat } from '../ui/contact-links.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import type { CallFailure } from './machine.ts';
import { titleOf, type Obstacle } from './panel-messages.ts';
import { platform } from './device-support.ts';
import { useFocusReturn } from './use-focus-return.ts';
import styles from './VoicePanel.module.css';

interface Props {
  readonly about: Obstacle | CallFailure;
  readonly button: RefObject<HTMLElement | null>;
  readonly onAccept: () => void;
  readonly onClose: () => void;
}

/** Panel that says why a press did not start a call, and offers other ways to reach the company. */
export function VoicePanel({ about, button, onAccept, onClose }: Props) {
  const titleId = useId();
  const leave = useEffectEvent((event: KeyboardEvent) => event.key === 'Escape' && onClose());
  useEffect(() => {
    addEventListener('keydown', leave);
    return () => removeEventListener('keydown', leave);
  }, []);
  return (
    <div
      ref={useFocusReturn<HTMLDivElement>(button)}
      className={`${styles['panel']} stub`}
      role="group"
      aria-labelledby={titleId}
    >
      <Bilingual as="h2" id={titleId} text={titleOf(about)} />
      <Bilingual className={styles['text']} text={textOf(about)} />
      {about === 'consent' ? (
        <>
          <a href="/privacidad.html" target="_blank">
            <Inline text={words.consent.privacy} />
          </a>
          <div className={styles['ways']}>
            <button className="button" type="button" onClick={onAccept}>
              <ButtonWords text={words.consent.accept} />
            </button>
            <button className="button plain" type="button" onClick={onClose}>
              <ButtonWords text={words.consent.refuse} />
            </button>
          </div>
        </>
      ) : (
        <OtherWays onClose={onClose} />
      )}
    </div>
  );
}

function textOf(about: Obstacle | CallFailure) {
  if (about === 'consent' || about === 'offline') return words[about].text;
  if (about !== 'unavailable' && about.kind === 'microphone') return words.microphone[platform()];
  return words.otherwise;
}

function OtherWays({ onClose }: { readonly onClose: () => void }) {
  const { phone, whatsapp } = config.company;
  return (
    <>
      <div className={styles['ways']}>
        <a className="button" href={telephone(phone)}>
          <ButtonWords text={words.phone(phone)} />
        </a>
        <a className="button plain" href={chat(whatsapp)}>
          {mainWords(words.whatsapp)}
        </a>
        <button
          className="button plain"
          type="button"
          onClick={() => {
            onClose();
            void askForCall();
          }}
        >
          <ButtonWords text={words.callBack} />
        </button>
      </div>
      <button className={styles['close']} type="button" onClick={onClose}>
        <span aria-hidden="true">×</span>
        <span className="hidden">
          <Inline text={words.close} />
        </span>
      </button>
    </>
  );
}

/**
 * Fills the form with this phone's newest open quote. If there is none, scrolls to the empty form, which needs no
 * script to be shown.
 */
async function askForCall(): Promise<void> {
  const isFilled = await import('../phone/call-about-quote.ts').then(
    ({ askForCallAboutQuote }) => askForCallAboutQuote(),
    () => false,
  );
  if (isFilled) return;
  wantsCallBack.set(true);
  const form = document.querySelector<HTMLFormElement>(`#${FORM_ID}`);
  form?.scrollIntoView({ block: 'start' });
  form?.querySelector('input')?.focus({ preventScroll: true });
}
