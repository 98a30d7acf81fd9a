import { createElement } from 'react';

/** In place of src/landing/island.tsx: a part of the page like any other. */
export const Island = ({ of }) => createElement(of);
