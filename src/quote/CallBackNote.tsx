import { useEffect, useSyncExternalStore, type RefObject } from 'react';
import { callBackNote } from '../content/call-back.ts';
import { callBack } from '../notices/call-back.ts';
import { Inline } from '../ui/Inline.tsx';
import styles from './FormStates.module.css';

/** For who asked, elsewhere in the page, to be called: until the form is sent or emptied. */
export function CallBackNote({ form }: { readonly form: RefObject<HTMLFormElement | null> }) {
  const asked = useSyncExternalStore(callBack.subscribe, callBack.read);
  useEffect(() => {
    const element = form.current;
    element?.addEventListener('reset', callBack.done);
    return () => element?.removeEventListener('reset', callBack.done);
  }, [form]);
  return (
    asked && (
      <div className={styles['draft']} role="status">
        <span>
          <Inline text={callBackNote} />
        </span>
      </div>
    )
  );
}
