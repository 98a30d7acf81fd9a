import { handOff as words } from '../content/quote-states.ts';
import { ActionLabel } from './ActionLabel.tsx';

/** What the phone itself offers for handing something over, where it offers any. */
export function Share({ data }: { readonly data: () => ShareData }) {
  if (!('share' in navigator)) return null;
  // A share that was called off is no error.
  const share = () => void navigator.share(data()).catch(() => undefined);
  return (
    <button className="button plain" type="button" onClick={share}>
      <ActionLabel text={words.share} />
    </button>
  );
}
