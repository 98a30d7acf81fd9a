import { mailStop } from '../content/mail-stop.ts';
import { promotions } from '../content/promotions.ts';
import type { Entry } from '../outbox/entry.ts';
import { Withdrawal } from './Withdrawal.tsx';

export function Withdrawals({ entry }: { readonly entry: Entry }) {
  return (
    <>
      {entry.quote?.promociones && <Withdrawal entry={entry} kind="baja" words={promotions} />}
      {entry.answers.some(({ byMail }) => byMail) && <Withdrawal entry={entry} kind="sincorreo" words={mailStop} />}
    </>
  );
}
