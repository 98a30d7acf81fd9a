import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { englishWords, mainWords, type Bilingual } from '../content/bilingual.ts';
import styles from './Menu.module.css';

const FACES = { dots: 'M5 12h.01M12 12h.01M19 12h.01', bars: 'M4 7h16M4 12h16M4 17h16' } as const;

interface Props {
  readonly words: Bilingual;
  /** Icon of the button in place of its text. The icon is drawn, because not every typeface has such a character. */
  readonly face?: keyof typeof FACES;
  readonly items: readonly { readonly words: Bilingual; readonly onPress: () => void }[];
}

/** Button that opens a menu of actions. Escape, a press outside or an action closes the menu. */
export function Menu({ words, face, items }: Props) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') close();
    else if (step && buttons.length > 0) {
      const at = buttons.indexOf(document.activeElement as HTMLElement);
      buttons[(at + step + buttons.length) % buttons.length]!.focus();
    } else return;
    event.preventDefault();
    // Escape closes only this menu, not the dialog around it.
    event.stopPropagation();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape closes from any control in here
    <div
      className={styles['menu']}
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && setOpen(false)}
      onKeyDown={isOpen ? onKeyDown : undefined}
    >
      <button
        ref={button}
        type="button"
        className="button plain"
        aria-label={face && mainWords(words)}
        title={englishWords(words)}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {face ? (
          <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
            <path d={FACES[face]} strokeWidth={2.5} />
          </svg>
        ) : (
          mainWords(words)
        )}
      </button>
      {isOpen && (
        <div ref={list} id={id} className={styles['list']} tabIndex={-1}>
          {items.map((item) => (
            <button
              key={mainWords(item.words)}
              type="button"
              className={styles['item']}
              title={englishWords(item.words)}
              onClick={() => {
                close();
                item.onPress();
              }}
            >
              {mainWords(item.words)}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
