import { useId } from 'react';
import { mainWords } from '../../content/bilingual.ts';
import { dateInWords } from '../../content/dates.ts';
import { deskPapers as words, papers, paperWords } from '../../content/papers.ts';
import { receipt } from '../../content/quote-states.ts';
import { lastOfEach, PAPERS, papersFor, type Paper, type PaperRow, type PaperState } from '../../lead/papers.ts';
import { PaperSelect } from '../../ui/PaperSelect.tsx';
import paperStyles from '../../ui/PaperSelect.module.css';
import type { FileRow } from '../../lead/rows.ts';
import type { ConversationRead } from '../api/conversation.ts';
import { markPaper } from '../api/lead-changes.ts';
import { readLeadShipment } from '../api/shipments.ts';
import { useAct, useDesk, useRead } from '../context.ts';
import { SheetSection } from '../SheetSection.tsx';
import type { Lead } from './lead.ts';
import styles from './ShipmentPapers.module.css';

const DAY = 24 * 60 * 60_000;

interface Props {
  readonly lead: Lead;
  readonly read: ConversationRead;
  readonly onMarked: () => void;
}

/**
 * Shipping documents that the product needs, with their states. Colleagues set the state of a document that came by
 * mail. Shown once the product is known or a document has a state.
 */
export function ShipmentPapers({ lead, read, onMarked }: Props) {
  const [isBusy, act] = useAct(lead);
  const { value: cutoff } = useRead(`${lead.quote_id} ${lead.version}`, async () =>
    lead.accepted_state === 'reservada' ? (await readLeadShipment(lead.quote_id))?.shipment.cutoff : undefined,
  );
  const product = read.details?.details.producto;
  if (!product && read.papers.length === 0) return null;
  const states = lastOfEach(read.papers);

  async function mark(papel: Paper, estado: PaperState) {
    await act(() => markPaper(lead, { papel, estado }), words.saved);
    onMarked();
  }

  return (
    <SheetSection title={receipt.papers}>
      <ul aria-busy={isBusy}>
        {papersFor({ producto: product ?? '' }, lead).map((paper) => (
          <PaperLine
            key={paper}
            paper={paper}
            state={states.get(paper)}
            files={read.files}
            cutoff={cutoff}
            onMark={(estado) => void mark(paper, estado)}
          />
        ))}
      </ul>
    </SheetSection>
  );
}

interface LineProps {
  readonly paper: Paper;
  readonly state: PaperRow | undefined;
  readonly files: readonly FileRow[];
  /** Time by which the cargo must be at the airport, if it is known. */
  readonly cutoff: number | undefined;
  readonly onMark: (estado: PaperState) => void;
}

function PaperLine({ paper, state, files, cutoff, onMark }: LineProps) {
  const id = useId();
  const { now } = useDesk();
  const file = files.find((each) => each.id === state?.archivo);
  const isMissing = cutoff !== undefined && state?.estado !== 'tengo';
  const facts = [
    isMissing && mainWords(words.left(Math.floor((cutoff - now) / DAY) - PAPERS[paper].daysBefore)),
    mainWords(PAPERS[paper].isNeeded ? papers.needed : papers.ask),
    state &&
      `${state.author_name ?? mainWords(words.customer)}, ${mainWords(dateInWords(Date.parse(state.pressed_at), now))}`,
    file?.nombre,
  ];
  return (
    <li className={`${styles['line']} ${paperStyles['paper']}`} data-state={state?.estado}>
      <label htmlFor={id}>{mainWords(paperWords[paper].name)}</label>
      <PaperSelect id={id} state={state?.estado} words={words.states} onMark={onMark} />
      <small>{facts.filter(Boolean).join(' · ')}</small>
    </li>
  );
}
