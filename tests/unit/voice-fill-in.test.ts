import { readFileSync } from 'node:fs';
import type { CreateFunctionToolDTO } from '@vapi-ai/web/dist/api';
import { beforeEach, expect, test } from 'vitest';
import { fieldWords, type FieldWords } from '../../src/content/fields.ts';
import { fields, FIELDS, type Field } from '../../src/lead/fields.ts';
import { assistantValues } from '../../src/phone/assistant-values.ts';
import { FILL_IN, fillIn } from '../../src/voice/fill-in.ts';

beforeEach(() => assistantValues.set(new Map()));

let calls = 0;
const say = (campo: unknown, valor: unknown) =>
  fillIn({ id: `unit-${++calls}`, name: FILL_IN, rawArguments: { campo, valor } });

test.each([
  ['nombre', ' Ana Ríos ', 'Ana Ríos'],
  ['email', 'Ana@Bayas.MX', 'ana@bayas.mx'],
  ['peso', '12 500 kg', '12 500 kg'],
  ['peso', 1500, '1500'],
  ['tipo_carga', 'Perecederos', 'perecederos'],
] as const)('the assistant’s value for %s, %j, is filled in as %j', (field, spoken, shown) => {
  expect(say(field, spoken)).toMatchObject({ isRefused: false });
  expect([...assistantValues.read()]).toEqual([[field, shown]]);
});

test.each([
  ['nombre', '   ', 'Nombre es requerido'],
  ['peso', '1.500', 'Escriba 1500 o 1.5'],
  ['tipo_carga', 'Perishables', 'Tipo de carga debe ser valido'],
  ['nombre', { de: 'otro' }, 'Falta el valor de nombre'],
  ['sitio_web', 'https://bayas.mx', 'no tiene ese campo'],
  [undefined, 'Ana', 'no tiene ese campo'],
])('the page refuses %s: %j, and tells the assistant why', (field, spoken, why) => {
  const answer = say(field, spoken);
  expect(answer).toMatchObject({ isRefused: true });
  expect(answer?.text).toContain(why);
  expect(assistantValues.read().size).toBe(0);
});

test.each(['', '{', '[]', 'null', '7', null, 7])('the form refuses malformed arguments %j', (written) => {
  expect(fillIn({ id: `unit-${++calls}`, name: FILL_IN, rawArguments: written })).toMatchObject({ isRefused: true });
  expect(assistantValues.read().size).toBe(0);
});

const rules: Partial<Readonly<Record<Field, string>>> = {
  nombre: 'el nombre de la persona',
  empresa: 'el nombre de la empresa',
  email: 'una dirección completa, con @, deletreada si hace falta',
  telefono: 'de 7 a 15 dígitos, con clave de país',
  peso: 'kilos al mes, en cifras y sin punto: 1500',
  tipo_carga: 'uno de los tres valores',
};

function described(field: Field): string {
  const { label }: FieldWords = fieldWords[field];
  const { longest, most, choices } = fields[field];
  const bound = choices?.join(', ') ?? (most ? `de 1 a ${most}` : `hasta ${longest} caracteres`);
  return `${field} (${label.es}): ${[rules[field], bound].filter(Boolean).join('; ')}`;
}

const tool = {
  type: 'function',
  async: true,
  function: {
    name: FILL_IN,
    description:
      'Escribe en el formulario de cotización un dato que la persona acaba de decir. Llámela una vez por dato, en cuanto lo oiga, y otra vez si la persona lo corrige. No envía nada: la persona confirma cada dato en la pantalla y envía ella misma.',
    parameters: {
      type: 'object',
      properties: {
        campo: { type: 'string', enum: FIELDS, description: 'El dato que se escribe.' },
        valor: { type: 'string', description: `Lo que la persona dijo. ${FIELDS.map(described).join('. ')}.` },
      },
      required: ['campo', 'valor'],
    },
  },
} satisfies CreateFunctionToolDTO;

test('docs/voice.md contains the tool definition that the operator pastes into the voice assistant', async () => {
  const file = 'docs/voice.md';
  const joined = (_: string, words: string) => `[${words.replaceAll(/\s+/g, ' ')}]`;
  const definition = JSON.stringify(tool, null, 2).replaceAll(/\[\s+([^\]]*?)\s+\]/g, joined);
  const names = FIELDS.map((field) => (fieldWords[field] as FieldWords).label.es.toLowerCase()).join(', ');
  const document = readFileSync(file, 'utf8')
    .replace(/(?<=```json\n).*(?=\n```)/s, () => definition)
    .replace(/(?<=quiera una cotización, pida ).*(?=, y llame a )/, () => names);
  await expect(document).toMatchFileSnapshot(`../../${file}`);
});
