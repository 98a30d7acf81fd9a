import { useState, type MouseEvent } from 'react';
import { bothWords, mainWords, type Bilingual as Text } from '../content/bilingual.ts';
import { dateInWords } from '../content/dates.ts';
import { desk } from '../content/desk.ts';
import { deskTemplates as words } from '../content/desk-templates.ts';
import { isSeen, LONGEST } from '../lead/bounds.ts';
import { ANSWER_KINDS, type AnswerKind } from '../lead/offer.ts';
import type { TemplateRow } from '../lead/rows.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Act, Acts } from './Act.tsx';
import { serverNow, Trouble } from './backend.ts';
import { Dialog } from './Dialog.tsx';
import { Labelled } from './Labelled.tsx';
import styles from './Templates.module.css';
import { hearTemplates, moveTemplate, removeTemplate, saveTemplate } from './templates.ts';
import { useUnfinished } from './unfinished.ts';

interface Props {
  readonly team: readonly TemplateRow[];
  readonly onClose: () => void;
}

interface Written {
  readonly id?: string;
  readonly name: string;
  readonly kind: AnswerKind;
  readonly body: string;
  readonly body_en: string;
}

const NOTHING: Written = { name: '', kind: 'oferta', body: '', body_en: '' };

/** The team's templates: added, changed, ordered and removed. */
export function TemplatesDialog({ team, onClose }: Props) {
  const [written, setWritten, end] = useUnfinished<Written | undefined>('template', () => undefined);
  const [removed, setRemoved] = useState<string>();
  const [wrong, setWrong] = useState<Text>();
  const [busy, setBusy] = useState(false);

  async function act(work: () => Promise<void>): Promise<boolean> {
    if (busy) return false;
    setBusy(true);
    setWrong(undefined);
    try {
      await work();
      await hearTemplates();
      return true;
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      setWrong(error.kind === 'refused' ? words.notSaved : desk.notDone);
      return false;
    } finally {
      setBusy(false);
    }
  }

  async function save({ id, name, kind, body, body_en }: Written) {
    if (!isSeen(name) || !isSeen(body)) return setWrong(words.empty);
    const english = isSeen(body_en) ? body_en : null;
    if (body.length + 2 + (english?.length ?? 0) > LONGEST.answer) return setWrong(words.long);
    const place = (team.at(-1)?.place ?? 0) + 1;
    const changes = { name: name.trim(), kind, body, body_en: english, ...(!id && { place }) };
    if (!(await act(() => saveTemplate(id, changes)))) return undefined;
    return end();
  }

  return (
    <Dialog title={words.open} onClose={onClose}>
      {written ? (
        <Fields written={written} onWrite={setWritten} />
      ) : (
        <>
          <Bilingual text={words.hint} />
          <ol className={styles['items']} aria-busy={busy}>
            {team.map((template, at) => {
              const { id, name, changed_by_name, changed_at } = template;
              const when = dateInWords(Date.parse(changed_at), serverNow());
              const press = (what: Text, onClick: (event: MouseEvent) => unknown, disabled = false) => (
                <Act
                  words={what}
                  aria-label={`${mainWords(what)}: ${name}`}
                  disabled={disabled}
                  onClick={(event) => void onClick(event)}
                />
              );
              return (
                <li key={id} className={styles['item']}>
                  <b>{name}</b> · {mainWords(desk.answer.kinds[template.kind])}
                  <Bilingual text={words.changed(changed_by_name ?? mainWords(desk.colleague), when)} />
                  <Acts>
                    {press(words.up, () => act(() => moveTemplate(team, at, at - 1)), at === 0)}
                    {press(words.down, () => act(() => moveTemplate(team, at, at + 1)), at === team.length - 1)}
                    {press(words.change, () => setWritten({ ...template, body_en: template.body_en ?? '' }))}
                    {removed === id
                      ? // Not by the second click of two, which lands on it.
                        press(words.removeIndeed, ({ detail }) => detail < 2 && act(() => removeTemplate(id)))
                      : press(words.remove, () => setRemoved(id))}
                  </Acts>
                </li>
              );
            })}
          </ol>
        </>
      )}
      <div role="alert">{wrong && <Bilingual text={wrong} />}</div>
      <Acts>
        {written ? (
          <>
            <Act quiet={false} words={words.save} aria-busy={busy} onClick={() => void save(written)} />
            <Act words={desk.cancel} onClick={end} />
          </>
        ) : (
          <Act quiet={false} words={words.add} onClick={() => setWritten(NOTHING)} />
        )}
      </Acts>
    </Dialog>
  );
}

interface FieldsProps {
  readonly written: Written;
  readonly onWrite: (written: Written) => void;
}

function Fields({ written, onWrite }: FieldsProps) {
  const write = (changes: Partial<Written>) => onWrite({ ...written, ...changes });
  return (
    <>
      <Labelled label={words.name}>
        <input
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a press asked for this field
          autoFocus
          maxLength={LONGEST.template}
          autoComplete="off"
          value={written.name}
          onChange={(event) => write({ name: event.target.value })}
        />
      </Labelled>
      <Labelled label={desk.answer.kind}>
        <select value={written.kind} onChange={(event) => write({ kind: event.target.value as AnswerKind })}>
          {ANSWER_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {bothWords(desk.answer.kinds[kind])}
            </option>
          ))}
        </select>
      </Labelled>
      {(['body', 'body_en'] as const).map((name) => (
        <Labelled key={name} label={name === 'body' ? words.body : words.bodyEn}>
          <textarea
            rows={5}
            maxLength={LONGEST.answer}
            value={written[name]}
            onChange={(event) => write({ [name]: event.target.value })}
          />
        </Labelled>
      ))}
    </>
  );
}
