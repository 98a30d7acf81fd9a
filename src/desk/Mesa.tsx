import { useStore } from '../ui/store.ts';
import { Desk } from './Desk.tsx';
import { NewPassword } from './session/NewPassword.tsx';
import { session } from './session/session.ts';
import { SignIn } from './session/SignIn.tsx';

export function Mesa() {
  const now = useStore(session);
  switch (now.kind) {
    case 'starting':
      return null;
    case 'signed-out':
      return <SignIn because={now.because} />;
    case 'must-change':
      return <NewPassword email={now.email} />;
    case 'open':
      return <Desk key={now.person.id} me={now.person} isFirst={now.isFirst} />;
  }
}
