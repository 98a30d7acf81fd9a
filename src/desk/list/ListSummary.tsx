import { mainWords } from '../../content/bilingual.ts';
import { deskLead } from '../../content/desk-lead.ts';
import { deskList as words } from '../../content/desk-list.ts';
import { fieldWords } from '../../content/fields.ts';
import { moneyInWords } from '../../content/prices.ts';
import { LinkButton } from '../../ui/Button.tsx';
import { Select, TextField } from '../../ui/Field.tsx';
import { useDesk } from '../context.ts';
import { standingOf, type Lead } from '../lead/lead.ts';
import { ORDERS, sumsOf, UNREFINED, type Refinement, type Order } from './filters.ts';
import styles from './ListPanel.module.css';

interface Props {
  /** All leads; their owners and statuses are the options of the filters. */
  readonly all: readonly Lead[];
  readonly shown: readonly Lead[];
  readonly refinement: Refinement;
  readonly onRefine: (refinement: Refinement) => void;
}

const CARGOS = Object.entries(fieldWords.tipo_carga.choices).map(([cargo, name]) => [cargo, mainWords(name)] as const);

/** Line with the sums of the shown leads. Pressed, it shows fields for order, status, cargo, owner and weight. */
export function ListSummary({ all, shown, refinement, onRefine }: Props) {
  const { kilos, money } = sumsOf(shown);
  const isRefined = refinement !== UNREFINED && JSON.stringify(refinement) !== JSON.stringify(UNREFINED);
  const sums = [
    mainWords(words.sum(shown.length, kilos.toLocaleString('es-MX'))),
    ...money.map(([currency, sum]) => moneyInWords(sum, currency)),
  ];
  return (
    <details className={styles['narrow']}>
      <summary>
        <span>{sums.join(' · ')}</span>
        <b>{mainWords(isRefined ? words.narrowed : words.narrow)}</b>
      </summary>
      <Choices all={all} refinement={refinement} onRefine={onRefine} />
      {isRefined && <LinkButton onClick={() => onRefine(UNREFINED)}>{mainWords(words.widen)}</LinkButton>}
    </details>
  );
}

function Choices({ all, refinement, onRefine }: Omit<Props, 'shown'>) {
  const { me } = useDesk();
  const change = (part: keyof Refinement) => (value: string) => onRefine({ ...refinement, [part]: value as Order });
  const owners = new Map(
    all.flatMap(({ assignee, assignee_name }) => (assignee ? [[assignee, assignee_name ?? '—']] : [])),
  );
  if (owners.has(me.id)) owners.set(me.id, mainWords(deskLead.mine));
  const statuses = [...new Set(all.map((lead) => mainWords(standingOf(lead).words)))].toSorted();
  const selects = [
    ['order', words.order, ORDERS.map((order) => [order, mainWords(words.orders[order])] as const)],
    ['status', words.status, [['', mainWords(words.allStatuses)], ...statuses.map((each) => [each, each] as const)]],
    ['cargo', words.cargo, [['', mainWords(words.allCargo)], ...CARGOS]],
    ['owner', deskLead.owner, [['', mainWords(words.allOwners)], ...owners]],
  ] as const;
  return (
    <div className={styles['choices']}>
      {selects.map(([part, label, options]) => (
        <Select key={part} label={label} value={refinement[part]} options={options} onChange={change(part)} />
      ))}
      {(['from', 'to'] as const).map((part) => (
        <TextField
          key={part}
          label={words[part]}
          inputMode="numeric"
          most={12}
          value={refinement[part]}
          onChange={change(part)}
        />
      ))}
    </div>
  );
}
