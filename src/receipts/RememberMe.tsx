import { useEffect } from 'react';
import { rememberContactLabel } from '../content/remember-contact.ts';
import type { Quote } from '../lead/quote.ts';
import { forgetContact, isRemembered, readContact, rememberContact } from '../phone/contact.ts';
import { useIsShared } from '../phone/use-entries.ts';
import { Inline } from '../ui/Inline.tsx';
import { useStore } from '../ui/store.ts';
import styles from './Choice.module.css';

/** Checkbox that makes the phone remember the contact data of the last quote; not shown on a shared phone. */
export function RememberMe({ quote }: { readonly quote: Quote }) {
  const isOn = useStore(isRemembered);
  const isShared = useIsShared();
  useEffect(() => {
    // The visitor may have deleted the remembered data in another place, so they are updated only if the phone still
    // has them.
    if (isShared === false && readContact()) rememberContact(quote);
  }, [isShared, quote]);
  if (isShared !== false) return null;
  return (
    <label className={styles['choice']}>
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => (target.checked ? rememberContact(quote) : forgetContact())}
      />
      <span>
        <Inline text={rememberContactLabel} />
      </span>
    </label>
  );
}
