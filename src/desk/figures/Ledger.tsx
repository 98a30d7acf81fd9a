import { useMemo, useState } from 'react';
import { mainWords, type Bilingual as Text, englishWords } from '../../content/bilingual.ts';
import { deskFailures } from '../../content/desk-failures.ts';
import { deskLead } from '../../content/desk-lead.ts';
import { deskNew } from '../../content/desk-new.ts';
import { ledger as words } from '../../content/desk-ledger.ts';
import { dayInWords } from '../../content/dates.ts';
import { fieldWords } from '../../content/fields.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Button, LinkButton } from '../../ui/Button.tsx';
import { Select } from '../../ui/Field.tsx';
import type { Lead } from '../lead/lead.ts';
import styles from './Ledger.module.css';
import { readSince } from '../api/lead-feed.ts';
import { useDesk, useRead } from '../context.ts';
import { nameOfCode } from './name-of-code.ts';
import { GROUPS, MEASURES, measured, tally, type Group, type Row } from './tally.ts';

const WEEK = 7 * 86_400_000;
const SPANS = [4, 12, 52];

interface Props {
  readonly onShow: (leads: readonly Lead[], text: Text) => void;
}

/** Leads received, answered in time, seen, accepted, booked and lost, by week, agent, cargo, origin, hour or reason. */
export function Ledger({ onShow }: Props) {
  const { me, now } = useDesk();
  const [group, setGroup] = useState<Group>('week');
  const [weeks, setWeeks] = useState(SPANS[0]!);
  const { value, hasFailed } = useRead(`${weeks}`, async () => ({
    weeks,
    leads: await readSince(Date.now() - weeks * WEEK),
  }));
  const read = value?.weeks === weeks ? value.leads : undefined;
  const { rows, total } = useMemo(() => {
    const ours = read?.filter(({ assignee }) => me.isSupervisor || assignee === me.id);
    const counted = ours && tally(ours, group);
    return { rows: counted, total: counted && measured(counted.flatMap(({ leads }) => leads.received)) };
  }, [read, group, me]);
  const most = Math.max(1, ...(rows ?? []).map(({ leads }) => leads.received.length));

  return (
    <section className={styles['ledger']} aria-labelledby="ledger">
      <Bilingual as="h3" id="ledger" text={words.title} />
      <div className={styles['choices']}>
        <Select
          label={words.by}
          value={group}
          options={GROUPS.map((each) => [each, mainWords(words.groups[each])])}
          onChange={(each) => setGroup(each as Group)}
        />
        <Select
          label={words.since}
          value={String(weeks)}
          options={SPANS.map((count) => [String(count), mainWords(words.weeks(count))])}
          onChange={(count) => setWeeks(Number(count))}
        />
      </div>
      {!me.isSupervisor && <Bilingual text={words.own} />}
      {hasFailed && <Bilingual text={deskFailures.unreachable} />}
      {!rows && !hasFailed && <Bilingual text={words.asking} />}
      {rows && total && (
        <div className={styles['frame']}>
          <table className={styles['table']}>
            <thead>
              <tr>
                <th scope="col">{mainWords(words.groups[group])}</th>
                {MEASURES.map((measure) => (
                  <th key={measure} scope="col" title={englishWords(words.measures[measure])}>
                    {mainWords(words.measures[measure])}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, leads }) => (
                <Line key={key} name={nameOf(group, key, now)} leads={leads} most={most} onShow={onShow} />
              ))}
            </tbody>
            <tfoot>
              <Line name={mainWords(words.all)} leads={total} onShow={onShow} />
            </tfoot>
          </table>
        </div>
      )}
      <Bilingual text={words.press} />
      <p>
        <Button words={words.print} onClick={() => print()} />
      </p>
    </section>
  );
}

interface LineProps {
  readonly name: string;
  readonly leads: Row['leads'];
  /** Count of leads at which the row's bar has its full width. */
  readonly most?: number;
  readonly onShow: Props['onShow'];
}

function Line({ name, leads, most, onShow }: LineProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {MEASURES.map((measure) => {
        const counted = leads[measure];
        const what = mainWords(words.measures[measure]);
        const share = most && `${(counted.length / most) * 100}%`;
        return (
          <td key={measure} data-measure={measure}>
            {counted.length === 0 ? (
              0
            ) : (
              <LinkButton
                aria-label={`${counted.length}: ${what}, ${name}`}
                onClick={() => onShow(counted, words.counted(what, name))}
              >
                {counted.length}
              </LinkButton>
            )}
            {share && <span className={styles['bar']} style={{ width: share }} />}
          </td>
        );
      })}
    </tr>
  );
}

function nameOf(group: Group, key: string, now: number): string {
  if (!key) return mainWords(group === 'agent' ? deskLead.unassigned : deskNew.unknown);
  if (group === 'week') return mainWords(words.week(dayInWords(key, now)));
  if (group === 'cargo') return nameOfCode(fieldWords.tipo_carga.choices, key).toLowerCase();
  if (group === 'origin') return nameOfCode(deskNew.origins, key);
  if (group === 'reason') return nameOfCode(deskLead.lostReasons, key);
  return group === 'hour' ? `${key} h` : key;
}
