import { createElement } from 'react';

/** Replaces src/landing/island.tsx: the island becomes an ordinary component. */
export const Island = ({ of }) => createElement(of);
