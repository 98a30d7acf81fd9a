import { englishWords, mainWords, type Bilingual } from '../../content/bilingual.ts';
import { deskLead } from '../../content/desk-lead.ts';
import { deskList as words } from '../../content/desk-list.ts';
import { fieldWords } from '../../content/fields.ts';
import { useDesk } from '../context.ts';
import type { Lead } from '../lead/lead.ts';
import { ORDERS, type Narrowing, type Order } from './filters.ts';
import styles from './ListSide.module.css';

interface Props {
  /** All leads, whose owners can be chosen. */
  readonly all: readonly Lead[];
  readonly shown: readonly Lead[];
  readonly narrowing: Narrowing;
  readonly onNarrow: (narrowing: Narrowing) => void;
}

/** Sum of the list, its order, and a choice of cargo and owner. */
export function ListFoot({ all, shown, narrowing, onNarrow }: Props) {
  const { me } = useDesk();
  const kilos = shown.reduce((sum, { peso }) => sum + (peso ?? 0), 0);
  const cargos = Object.entries(fieldWords.tipo_carga.choices).map(
    ([cargo, name]) => [cargo, mainWords(name)] as const,
  );
  const owners = new Map(
    all.flatMap(({ assignee, assignee_name }) => (assignee ? [[assignee, assignee_name ?? '—']] : [])),
  );
  if (owners.has(me.id)) owners.set(me.id, mainWords(deskLead.mine));
  return (
    <div className={styles['foot']}>
      <p>{mainWords(words.sum(shown.length, kilos.toLocaleString('es-MX')))}</p>
      <Choose
        label={words.order}
        value={narrowing.order}
        options={ORDERS.map((order) => [order, mainWords(words.orders[order])])}
        onChange={(order) => onNarrow({ ...narrowing, order: order as Order })}
      />
      <Choose
        label={words.cargo}
        value={narrowing.cargo}
        options={[['', mainWords(words.allCargo)], ...cargos]}
        onChange={(cargo) => onNarrow({ ...narrowing, cargo })}
      />
      <Choose
        label={deskLead.owner}
        value={narrowing.owner}
        options={[['', mainWords(words.allOwners)], ...owners]}
        onChange={(owner) => onNarrow({ ...narrowing, owner })}
      />
    </div>
  );
}

interface ChooseProps {
  readonly label: Bilingual;
  readonly value: string;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onChange: (value: string) => void;
}

const Choose = ({ label, value, options, onChange }: ChooseProps) => (
  <select
    aria-label={mainWords(label)}
    title={englishWords(label)}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  >
    {options.map(([each, name]) => (
      <option key={each} value={each}>
        {name}
      </option>
    ))}
  </select>
);
