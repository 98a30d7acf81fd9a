import { useState, type MouseEvent } from 'react';
import { answers } from '../../content/answers.ts';
import { bothWords, mainWords, type Bilingual as Text } from '../../content/bilingual.ts';
import { dateInWords } from '../../content/dates.ts';
import { deskAnswer } from '../../content/desk-answer.ts';
import { deskFailures } from '../../content/desk-failures.ts';
import { deskTeam } from '../../content/desk-team.ts';
import { deskTemplates as words } from '../../content/desk-templates.ts';
import { controls } from '../../content/controls.ts';
import { hasText, LONGEST } from '../../lead/bounds.ts';
import { ANSWER_KINDS, CURRENCIES, PRICED_PER, type AnswerKind, type Price } from '../../lead/offer.ts';
import type { DraftLine } from '../../lead/answer-draft.ts';
import type { TemplateRow } from '../../lead/rows.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Button, Buttons } from '../../ui/Button.tsx';
import { serverNow } from '../api/server-clock.ts';
import { RequestError } from '../api/request-error.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Select, TextArea, TextField } from '../../ui/Field.tsx';
import styles from './Templates.module.css';
import { moveTemplate, removeTemplate, saveTemplate } from '../api/templates.ts';
import { useBusy } from '../use-busy.ts';
import { asDraft, lineFaults } from './draft-lines.ts';
import { OfferLines } from './OfferLines.tsx';
import { lineOf } from './sending.ts';
import { loadTemplates } from './templates.ts';
import { useDialogDraft } from './dialog-drafts.ts';

interface Props {
  readonly team: readonly TemplateRow[];
  readonly onClose: () => void;
}

interface EditedTemplate {
  readonly id?: string;
  readonly name: string;
  readonly kind: AnswerKind;
  readonly body: string;
  readonly body_en: string;
  /** Lines that the template puts into an offer; empty if the template has none. */
  readonly lines: readonly DraftLine[];
  readonly per: string;
  readonly currency: string;
}

const NOTHING: EditedTemplate = {
  name: '',
  kind: 'oferta',
  body: '',
  body_en: '',
  lines: [],
  per: 'kilo',
  currency: 'USD',
};

/** Dialog in which the team adds, edits, orders and removes its templates. */
export function TemplatesDialog({ team, onClose }: Props) {
  const [edited, setEdited, end] = useDialogDraft<EditedTemplate | undefined>('template', () => undefined);
  const [removing, setRemoving] = useState<string>();
  const [wrong, setWrong] = useState<Text>();
  const [busy, runOnce] = useBusy();

  const act = (work: () => Promise<void>) =>
    runOnce(async () => {
      setWrong(undefined);
      try {
        await work();
        await loadTemplates();
        return true;
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        setWrong(error.kind === 'refused' ? words.notSaved : deskFailures.notDone);
        return false;
      }
    });

  async function save({ id, name, kind, body, body_en, lines: typed, per, currency }: EditedTemplate) {
    const lines = kind === 'oferta' ? typed : [];
    if (!hasText(name) || !hasText(body)) return setWrong(words.empty);
    if (lines.some((line) => Object.keys(lineFaults(line)).length > 0)) return setWrong(words.lines);
    const english = hasText(body_en) ? body_en : null;
    if (body.length + 2 + (english?.length ?? 0) > LONGEST.answer) return setWrong(words.long);
    const place = (team.at(-1)?.place ?? 0) + 1;
    const offered =
      lines.length > 0
        ? { lines: lines.map(lineOf), price_for: per as Price['per'], currency: currency as Price['currency'] }
        : { lines: null, price_for: null, currency: null };
    const changes = { name: name.trim(), kind, body, body_en: english, ...offered, ...(!id && { place }) };
    if (!(await act(() => saveTemplate(id, changes)))) return undefined;
    return end();
  }

  return (
    <Dialog
      title={words.open}
      onClose={onClose}
      actions={
        edited ? (
          <>
            <Button quiet={false} words={words.save} aria-busy={busy} onClick={() => void save(edited)} />
            <Button words={controls.cancel} onClick={end} />
          </>
        ) : (
          <Button quiet={false} words={words.add} onClick={() => setEdited(NOTHING)} />
        )
      }
    >
      {edited ? (
        <Fields edited={edited} onWrite={setEdited} />
      ) : (
        <>
          <Bilingual text={words.hint} />
          <ol className={styles['items']} aria-busy={busy}>
            {team.map((template, at) => {
              const { id, name, changed_by_name, changed_at } = template;
              const when = dateInWords(Date.parse(changed_at), serverNow());
              const press = (what: Text, onClick: (event: MouseEvent) => unknown, disabled = false) => (
                <Button
                  words={what}
                  aria-label={`${mainWords(what)}: ${name}`}
                  disabled={disabled}
                  onClick={(event) => void onClick(event)}
                />
              );
              return (
                <li key={id} className={styles['item']}>
                  <b>{name}</b> · {mainWords(deskAnswer.kinds[template.kind])}
                  <Bilingual text={words.changed(changed_by_name ?? mainWords(deskTeam.colleague), when)} />
                  <Buttons>
                    {press(words.up, () => act(() => moveTemplate(team, at, at - 1)), at === 0)}
                    {press(words.down, () => act(() => moveTemplate(team, at, at + 1)), at === team.length - 1)}
                    {press(words.change, () => setEdited(editable(template)))}
                    {removing === id
                      ? // A double click on 'remove' must not also confirm: the second click has `detail` 2.
                        press(words.removeIndeed, ({ detail }) => detail < 2 && act(() => removeTemplate(id)))
                      : press(words.remove, () => setRemoving(id))}
                  </Buttons>
                </li>
              );
            })}
          </ol>
        </>
      )}
      <div role="alert">{wrong && <Bilingual text={wrong} />}</div>
    </Dialog>
  );
}

const editable = ({ id, name, kind, body, body_en, lines, price_for, currency }: TemplateRow): EditedTemplate => ({
  id,
  name,
  kind,
  body,
  body_en: body_en ?? '',
  lines: asDraft(lines),
  per: price_for ?? 'kilo',
  currency: currency ?? 'USD',
});

function Fields({
  edited,
  onWrite,
}: {
  readonly edited: EditedTemplate;
  readonly onWrite: (edited: EditedTemplate) => void;
}) {
  const write = (changes: Partial<EditedTemplate>) => onWrite({ ...edited, ...changes });
  return (
    <>
      <TextField
        label={words.name}
        isFirst
        most={LONGEST.template}
        value={edited.name}
        onChange={(name) => write({ name })}
      />
      <Select
        label={deskAnswer.kind}
        value={edited.kind}
        options={ANSWER_KINDS.map((kind) => [kind, bothWords(deskAnswer.kinds[kind])])}
        onChange={(kind) => write({ kind: kind as AnswerKind })}
      />
      {edited.kind === 'oferta' && edited.lines.length > 0 && (
        <>
          <Select
            label={deskAnswer.per}
            value={edited.per}
            options={PRICED_PER.map((each) => [each, mainWords(deskAnswer[each])])}
            onChange={(per) =>
              write({
                per,
                lines: per === 'kilo' ? edited.lines.map((line) => ({ ...line, per: 'kilo' })) : edited.lines,
              })
            }
          />
          <Select
            label={deskAnswer.currency}
            value={edited.currency}
            options={CURRENCIES.map((code) => [code, answers.currencies[code]])}
            onChange={(currency) => write({ currency })}
          />
        </>
      )}
      {edited.kind === 'oferta' && (
        <OfferLines
          lines={edited.lines}
          price=""
          per={edited.per}
          onWrite={write}
          onClose={() => write({ lines: [] })}
        />
      )}
      {(['body', 'body_en'] as const).map((name) => (
        <TextArea
          key={name}
          label={name === 'body' ? words.body : words.bodyEn}
          rows={5}
          most={LONGEST.answer}
          value={edited[name]}
          onChange={(text) => write({ [name]: text })}
        />
      ))}
    </>
  );
}
