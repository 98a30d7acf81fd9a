import { useRef } from 'react';
import { englishWords, mainWords } from '../../content/bilingual.ts';
import { deskAnswer as words } from '../../content/desk-answer.ts';
import { ANSWER_KINDS } from '../../lead/offer.ts';
import { useDesk } from '../context.ts';
import type { Lead } from '../lead/lead.ts';
import { AnswerBody } from './AnswerBody.tsx';
import styles from './AnswerForm.module.css';
import { OfferFields } from './OfferFields.tsx';
import { SendRow } from './SendRow.tsx';
import { useAnswer } from './use-answer.ts';

/**
 * Form of an offer, question or message to the customer, with a preview. A sent answer can be undone for ten seconds.
 */
export function AnswerForm({ lead }: { readonly lead: Lead }) {
  const { me } = useDesk();
  const state = useAnswer(lead);
  const form = useRef<HTMLFormElement>(null);
  const { answer, draft, isFixed, write } = state;
  const isOthers = lead.assignee !== null && lead.assignee !== me.id;
  // A draft that this person has begun stays readable after a colleague has taken the lead.
  if (isOthers && draft?.body === undefined) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Ctrl + Enter sends from any field of the form
    <form
      ref={form}
      className={styles['form']}
      aria-label={mainWords(words.title)}
      noValidate
      // Enter alone in a field must not send the answer.
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={({ key, ctrlKey, metaKey }) => {
        if (key === 'Enter' && (ctrlKey || metaKey)) state.send(form.current!);
      }}
    >
      <div className={styles['fields']}>
        <fieldset className={styles['kinds']}>
          <legend className="hidden">{mainWords(words.kind)}</legend>
          {ANSWER_KINDS.map((kind) => (
            <label key={kind} title={englishWords(words.kindHint[kind])}>
              <input
                type="radio"
                name="kind"
                value={kind}
                checked={answer.kind === kind}
                disabled={isFixed}
                onChange={() => write({ kind })}
              />
              <span>{mainWords(words.kinds[kind])}</span>
            </label>
          ))}
        </fieldset>
        <p className={styles['hint']} title={englishWords(words.kindHint[answer.kind])}>
          {mainWords(words.kindHint[answer.kind])}
        </p>
        {answer.kind === 'oferta' && <OfferFields lead={lead} state={state} />}
        <AnswerBody lead={lead} state={state} />
      </div>
      {!isOthers && <SendRow isFree={!lead.assignee} state={state} form={form} />}
    </form>
  );
}
