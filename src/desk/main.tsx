import '../styles/tokens.css';
import '../styles/base.css';
import { createRoot } from 'react-dom/client';
import { useStore } from '../ui/store.ts';
import { Desk } from './Desk.tsx';
import { NewPassword } from './session/NewPassword.tsx';
import { EnrolScreen, FactorScreen } from './lazy-parts.tsx';
import { session, watchSession } from './session/session.ts';
import { SignIn } from './session/SignIn.tsx';
import { watchPressed } from './team/push.ts';

watchSession();
watchPressed();
createRoot(document.getElementById('mesa')!).render(<Mesa />);

function Mesa() {
  const now = useStore(session);
  switch (now.kind) {
    case 'starting':
      return null;
    case 'signed-out':
      return <SignIn because={now.because} />;
    case 'second-step':
      return <FactorScreen steps={now.steps} />;
    case 'must-change':
      return <NewPassword email={now.email} />;
    case 'must-enrol':
      return <EnrolScreen />;
    case 'open':
      return <Desk key={now.person.id} me={now.person} isFirst={now.isFirst} />;
  }
}
