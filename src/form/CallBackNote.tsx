import { useEffect, type RefObject } from 'react';
import { callBackNote } from '../content/call-back.ts';
import { wantsCallBack } from '../phone/call-back.ts';
import { Inline } from '../ui/Inline.tsx';
import { useStore } from '../ui/store.ts';
import styles from './FormStates.module.css';

/** For who asked, elsewhere in the page, to be called: until the form is sent or emptied. */
export function CallBackNote({ form }: { readonly form: RefObject<HTMLFormElement | null> }) {
  const asked = useStore(wantsCallBack);
  useEffect(() => {
    const element = form.current;
    const over = () => wantsCallBack.set(false);
    element?.addEventListener('reset', over);
    return () => element?.removeEventListener('reset', over);
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
