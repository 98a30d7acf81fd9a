import { useState } from 'react';
import { voiceDemo as words } from '../content/voice-demo.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Inline } from '../ui/Inline.tsx';
import internal from '../ui/InternalPage.module.css';
import { InternalPage } from '../ui/InternalPage.tsx';
import { APPEARANCES, POSITIONS, SIZES, type Appearance, type Position, type Size } from './appearance.ts';
import { Bubbles } from './Bubbles.tsx';
import styles from './VoiceIconDemo.module.css';
import { Picker } from './Picker.tsx';
import { VoiceIcon } from './VoiceIcon.tsx';
import { VoiceMark } from './VoiceMark.tsx';

/** Page that shows the voice icon in every state, for designers and tests. */
export function VoiceIconDemo() {
  const [state, setState] = useState<Appearance>('idle');
  const [size, setSize] = useState<Size>('large');
  const [position, setPosition] = useState<Position>('bottom-right');
  const [hint, setHint] = useState(false);
  const { names } = words.pickers.state;
  const following = APPEARANCES[(APPEARANCES.indexOf(state) + 1) % APPEARANCES.length]!;

  return (
    <InternalPage words={words} className={styles['page']}>
      <section aria-labelledby="preview">
        <Bilingual as="h2" id="preview" text={words.preview} />
        <div className={styles['stage']} data-hint={hint && state === 'idle' ? '' : undefined}>
          <VoiceIcon
            isActive={state === 'active'}
            isListening={state === 'listening'}
            isSpeaking={state === 'speaking'}
            size={size}
            position={position}
            label={names[state]}
            onClick={() => setState(following)}
          >
            <Bubbles />
          </VoiceIcon>
        </div>
      </section>

      <form className={internal['panel']} onSubmit={(event) => event.preventDefault()}>
        <Picker name="state" words={words.pickers.state} values={APPEARANCES} value={state} onPick={setState} />
        <Picker name="size" words={words.pickers.size} values={SIZES} value={size} onPick={setSize} />
        <Picker
          name="position"
          words={words.pickers.position}
          values={POSITIONS}
          value={position}
          onPick={setPosition}
        />
        <label className={internal['choice']}>
          <input type="checkbox" checked={hint} onChange={(event) => setHint(event.target.checked)} />
          <span>
            <Inline text={words.hint} />
          </span>
        </label>
      </form>

      <section aria-labelledby="scale-test">
        <Bilingual as="h2" id="scale-test" text={words.scaleTest.title} />
        <Bilingual text={words.scaleTest.note} />
        <ul className={styles['scales']}>
          {APPEARANCES.map((appearance) => (
            <li key={appearance}>
              {SIZES.map((each) => (
                <VoiceMark key={each} appearance={appearance} size={each} />
              ))}
              <span className="label">
                <Inline text={names[appearance]} />
              </span>
            </li>
          ))}
        </ul>
      </section>
    </InternalPage>
  );
}
