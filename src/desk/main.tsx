import '../styles/tokens.css';
import '../styles/base.css';
import { createRoot } from 'react-dom/client';
import { Mesa } from './Mesa.tsx';
import { watchPressed } from './team/push.ts';
import { watchSession } from './session/session.ts';

watchSession();
watchPressed();
createRoot(document.getElementById('mesa')!).render(<Mesa />);
