import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { englishWords, mainWords } from '../../content/bilingual.ts';
import { deskAnswer } from '../../content/desk-answer.ts';
import { deskTemplates as words } from '../../content/desk-templates.ts';
import { useStore } from '../../ui/store.ts';
import { useDesk } from '../context.ts';
import { Buttons, Chip } from '../../ui/Button.tsx';
import { choicesOf, loadTemplates, templates, type Template } from './templates.ts';
import styles from './Templates.module.css';
import { TemplatesDialog } from './TemplatesDialog.tsx';

interface Props {
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  /** `back`: true to return the focus to the text; false if the focus has moved elsewhere already. */
  readonly onClose: (back: boolean) => void;
  readonly onChoose: (template: Template) => void;
  /** Called when the person presses `/` in the open list, to type a `/` into the text. */
  readonly onSlash: () => void;
}

/** Templates for an answer. A button or `/` on an empty line opens the list. */
export function Templates({ isOpen, onOpen, onClose, ...rest }: Props) {
  const { me } = useDesk();
  const team = useStore(templates);
  const [isEdited, setEdited] = useState(false);
  return (
    <div className={styles['templates']}>
      <Buttons>
        <Chip
          title={englishWords(words.open)}
          aria-haspopup="listbox"
          aria-expanded={isOpen}
          // The list closes when it loses the focus, so pressing this button must not move the focus to the button.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => (isOpen ? onClose(true) : onOpen())}
        >
          {mainWords(words.open)}
        </Chip>
        {me.isSupervisor && team && (
          <Chip title={englishWords(words.edit)} onClick={() => setEdited(true)}>
            {mainWords(words.edit)}
          </Chip>
        )}
      </Buttons>
      {isOpen && <Choices choices={choicesOf(team)} onClose={onClose} {...rest} />}
      {isEdited && team && <TemplatesDialog team={team} onClose={() => setEdited(false)} />}
    </div>
  );
}

interface ChoicesProps extends Pick<Props, 'onClose' | 'onChoose' | 'onSlash'> {
  readonly choices: readonly Template[];
}

function Choices({ choices, onClose, onChoose, onSlash }: ChoicesProps) {
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const active = Math.min(chosen, choices.length - 1);
  useEffect(() => {
    list.current?.focus();
    void loadTemplates().catch(() => undefined);
  }, []);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const onKeyDown = (event: KeyboardEvent) => {
    const last = choices.length - 1;
    const steps: Record<string, number> = {
      ArrowDown: active === last ? 0 : active + 1,
      ArrowUp: active === 0 ? last : active - 1,
      Home: 0,
      End: last,
    };
    const step = steps[event.key];
    if (step !== undefined) setChosen(step);
    else if (event.key === 'Enter') onChoose(choices[active]!);
    else if (event.key === 'Escape') onClose(true);
    else if (event.key === '/') onSlash();
    else return;
    event.preventDefault();
    // Escape would otherwise also close the open lead.
    event.stopPropagation();
  };

  return (
    <div
      ref={list}
      role="listbox"
      tabIndex={0}
      className={styles['list']}
      aria-label={mainWords(words.open)}
      aria-activedescendant={`${id}${active}`}
      onKeyDown={onKeyDown}
      onBlur={() => onClose(false)}
    >
      {choices.map((template, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the list has the focus and handles the keys
        <div
          key={template.id}
          id={`${id}${index}`}
          role="option"
          aria-selected={index === active}
          className={styles['choice']}
          onClick={() => onChoose(template)}
        >
          <b>{template.name}</b> <span>{mainWords(deskAnswer.kinds[template.kind])}</span>
        </div>
      ))}
    </div>
  );
}
