import { useEffect, useState } from 'react';
import { another as words } from '../content/another.ts';
import type { Quote } from '../lead/quote.ts';
import { outbox } from '../outbox/phone-outbox.ts';
import { forgetContact, readContact, rememberContact } from '../phone/contact.ts';
import { Inline } from '../ui/Inline.tsx';
import styles from './Another.module.css';

/** Off until it is asked for, and not offered on a phone that others use. What is remembered is of the last quote. */
export function RememberMe({ quote }: { readonly quote: Quote }) {
  const [isOn, setOn] = useState(() => readContact() !== undefined);
  const [isShared, setShared] = useState(true);
  useEffect(() => void outbox.isShared().then(setShared, () => undefined), []);
  useEffect(() => {
    if (isOn && !isShared) rememberContact(quote);
  }, [isOn, isShared, quote]);
  if (isShared) return null;
  return (
    <label className={styles['choice']}>
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => {
          setOn(target.checked);
          if (!target.checked) forgetContact();
        }}
      />
      <span>
        <Inline text={words.remember} />
      </span>
    </label>
  );
}
