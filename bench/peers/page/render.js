import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { Page } from '../../../src/landing/page.tsx';

export const html = () => renderToString(createElement(Page));
