import { createElement } from 'react';

/** Replaces src/landing/island.tsx in this peer, so that each island is an ordinary component of the page. */
export const Island = ({ of }) => createElement(of);
