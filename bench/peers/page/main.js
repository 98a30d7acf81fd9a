import { createElement } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { Page } from '../../../src/landing/page.tsx';

const root = document.getElementById('root');
if (root.hasChildNodes()) hydrateRoot(root, createElement(Page));
else createRoot(root).render(createElement(Page));
