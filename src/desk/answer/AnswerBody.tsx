import { useRef, useState } from 'react';
import { deskAnswer as words } from '../../content/desk-answer.ts';
import { LONGEST } from '../../lead/bounds.ts';
import { TextArea } from '../../ui/Field.tsx';
import type { Lead } from '../lead/lead.ts';
import { AnswerPreview } from './AnswerPreview.tsx';
import { asDraft } from './draft-lines.ts';
import { withPlaceholders } from './drafts.ts';
import { isEmptyLine, putIn, wordsOf, type Template } from './templates.ts';
import { Templates } from './Templates.tsx';
import type { AnswerState } from './use-answer.ts';

/** Text field of an answer, with its preview and the team's templates. */
export function AnswerBody({ lead, state }: { readonly lead: Lead; readonly state: AnswerState }) {
  const { answer, draft, faults, isFixed, write, writeBody } = state;
  const [isChoosing, setChoosing] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const selection = () => [area.current!.selectionStart, area.current!.selectionEnd] as const;

  function close(back = true) {
    setChoosing(false);
    if (back) area.current!.focus();
  }
  function put(template: Template) {
    const text = wordsOf(template, lead);
    // The template replaces the text if the person has not edited the text; otherwise the template is added to it.
    const whole = draft?.body === undefined ? text : putIn(answer.body, ...selection(), text);
    const { kind, lines, price_for: per, currency } = template;
    const offered = lines && per && currency ? { lines: asDraft(lines), per, currency, kilos: undefined } : {};
    write({ kind, body: withPlaceholders(whole, lead), ...offered });
    close();
  }

  return (
    <>
      <TextArea
        label={words.body}
        fault={faults.body}
        wide
        ref={area}
        data-words=""
        rows={5}
        most={LONGEST.answer}
        value={answer.body}
        readOnly={isFixed}
        onChange={writeBody}
        onKeyDown={(event) => {
          if (event.key !== '/' || isFixed || !isEmptyLine(answer.body, ...selection())) return;
          event.preventDefault();
          setChoosing(true);
        }}
      />
      <AnswerPreview name={lead.nombre} answer={answer} />
      {!isFixed && (
        <Templates
          isOpen={isChoosing}
          onOpen={() => setChoosing(true)}
          onClose={close}
          onChoose={put}
          onSlash={() => {
            writeBody(putIn(answer.body, ...selection(), '/'));
            close();
          }}
        />
      )}
    </>
  );
}
