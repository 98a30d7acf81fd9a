import '../styles/tokens.css';
import '../styles/base.css';
import { createRoot } from 'react-dom/client';
import { Mesa } from './Mesa.tsx';
import { watchSession } from './session.ts';

watchSession();
createRoot(document.getElementById('mesa')!).render(<Mesa />);
