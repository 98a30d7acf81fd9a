import type { Asked, Caller } from './both.ts';
import { ANA, BETO } from './both.ts';
import { drawsFrom } from '../chance.ts';

// Random requests about a single quote, from its arrival to its erasure.

/** Sends a request to both servers, and returns the rows. */
export type Ask = (question: Asked) => Promise<readonly Record<string, unknown>[]>;

interface Chance extends ReturnType<typeof drawsFrom> {
  /** Makes a new id, and adds it to the ids that both servers know. */
  readonly mint: () => string;
}

export function chancesFrom(seed: number, minted: Set<string>): Chance {
  const draws = drawsFrom(seed);
  const mint = () => {
    const id = draws.id();
    minted.add(id);
    return id;
  };
  return { ...draws, mint };
}

/** Number of random requests about one quote. */
export const REQUESTS = 16;

const ONCE = 'resolution=ignore-duplicates,return=representation';
const WORDS = 'id,kind,price,kilos,valid_until,state,word,reference';
const ANSWERS = 'id,quote_id,created_at,body,price,price_for,currency,valid_until';

export async function tellStory(ask: Ask, { mint, oneOf, whole, sometimes }: Chance): Promise<void> {
  const id = mint();
  const quote = {
    id,
    nombre: oneOf(['María Núñez', 'José "Pepe" Ruiz', "O'Neill", '王伟']),
    empresa: `Empresa ${whole(1e9)}`,
    email: `compras${whole(1e9)}@ejemplo.mx`,
    telefono: '+52 (664) 555-0175',
    peso: 1 + whole(5000),
    tipo_carga: oneOf(['general', 'perecederos', 'especial']),
  };
  const answers: string[] = [mint()];
  const replies: string[] = [mint()];
  const moves: string[] = [mint()];
  let presented = id;
  let version = 1;
  let folio = '';

  const phone = (): Caller => oneOf(['visitor', 'visitor with the older key']);
  const staff = (): Caller => oneOf(['ana', 'ana', 'beto']);
  const service = (): Caller => oneOf(['service key', 'older service key']);
  const shown = () => ({ 'x-submission-id': sometimes(0.9) ? presented : mint() });
  const fresh = (ids: string[]) => {
    const made = sometimes(0.8) ? mint() : oneOf(ids);
    ids.push(made);
    return made;
  };

  const read = (as: Caller, path: string, headers = {}) => ask({ as, method: 'GET', path, headers });
  const write = (as: Caller, path: string, headers: Record<string, string>, body: object) =>
    ask({ as, method: 'POST', path, headers, body });
  const send = (row: object, prefer = ONCE) => {
    const select = sometimes(0.5) ? '&select=id,folio,peso' : '';
    return write(phone(), `quotes?on_conflict=id${select}`, { prefer, 'x-submission-id': presented }, row);
  };
  const look = async () => {
    const [lead] = await read('ana', `desk_leads?select=*&quote_id=eq.${id}`);
    if (lead) version = lead['version'] as number;
  };
  const change = async (as: Caller, body: object) => {
    const seen = sometimes(0.8) ? version : Math.max(1, version - 1);
    const select = sometimes(0.5) ? 'version,status,assignee_name' : 'version';
    const path = `quote_desk?quote_id=eq.${id}&version=eq.${seen}&select=${select}`;
    const prefer = oneOf(['return=representation', 'return=representation', 'return=minimal']);
    const [row] = await ask({ as, method: 'PATCH', path, headers: { prefer }, body });
    if (row) version = row['version'] as number;
  };
  const answer = (as: Caller) => {
    const priced = sometimes(0.6)
      ? { price: oneOf([4.1, 16, 999.99, 0.001]), price_for: oneOf(['kilo', 'total']), currency: 'USD' }
      : {};
    const row = { id: fresh(answers), quote_id: id, body: oneOf(['Sale el jueves.', 'Sí: 4 días 🥭', ' ']), ...priced };
    const more = sometimes(0.3) ? { valid_until: oneOf(['2999-01-01', '2020-01-01', 'infinity']) } : {};
    const price = { price: 4.1, price_for: 'kilo', currency: 'USD' };
    const offer = { kind: 'oferta', ...price, kilos: 1200, valid_until: '2999-01-01' };
    const kind = oneOf([{ kind: 'mensaje' }, { kind: 'pregunta' }, offer, offer]);
    const path = 'quote_answers?on_conflict=id&select=id,body,price,author,author_name,valid_until';
    return write(as, path, { prefer: ONCE }, { ...row, ...more, ...kind });
  };

  const acts: readonly (() => Promise<unknown>)[] = [
    () => send(quote),
    () => send(quote, 'return=minimal'),
    () => send({ ...quote, id: mint() }),
    () => send({ ...quote, id: mint(), peso: quote.peso + 1, reemplaza: folio || null }),
    look,
    look,
    () => change(staff(), { status: 'tomada' }),
    () => change('ana', { status: 'tomada' }),
    () => change('beto', { assignee: BETO }),
    () => change(staff(), { assignee: oneOf([ANA, BETO, null]), status: oneOf(['nueva', 'tomada', 'respondida']) }),
    () => change(staff(), { status: oneOf(['ganada', 'perdida', 'nueva', 'volada']) }),
    () => answer(staff()),
    () => answer('ana'),
    () => answer(service()),
    () => {
      const words = { kind: oneOf(['aceptada', 'pregunta']), body: oneOf(['', '¿Y el viernes?']) };
      const about = { id: fresh(replies), quote_id: id, answer_id: oneOf([null, oneOf(answers)]) };
      const row = { ...about, ...words, ...(sometimes(0.5) && { hace: oneOf([0, 60, 86_400, -1]) }) };
      return write(phone(), 'quote_replies?on_conflict=id', { prefer: ONCE, ...shown() }, row);
    },
    () => {
      const state = oneOf(['aceptada', 'retirada', 'reservada', 'sinespacio']);
      const about = { id: fresh(moves), quote_id: id, answer_id: oneOf(answers) };
      const row = { ...about, state, word: oneOf([null, 'El vuelo se llenó.', ' ']) };
      return write(staff(), 'offer_moves?on_conflict=id&select=id,state,word', { prefer: ONCE }, row);
    },
    () => read(phone(), `quote_words?select=${WORDS}&order=created_at`, shown()),
    () => read(staff(), `quote_replies?select=answer_id,kind,verdict&quote_id=eq.${id}&order=created_at`),
    () => {
      const prefer = oneOf([ONCE, 'resolution=ignore-duplicates']);
      const row = { answer_id: oneOf(answers), quote_id: id };
      return write(phone(), 'quote_seen?on_conflict=answer_id&select=answer_id', { prefer, ...shown() }, row);
    },
    () => read(phone(), `quote_answers?select=${ANSWERS}&order=created_at`, shown()),
    () => read(phone(), 'unknown_submissions?select=id', shown()),
    () => read(phone(), 'quotes', shown()),
    () => {
      const row = { id: mint(), quote_id: id, body: 'Llamar el lunes.' };
      return write(staff(), 'quote_notes?on_conflict=id', { prefer: ONCE }, row);
    },
    () => read(staff(), `quote_events?quote_id=eq.${id}&order=id.desc&limit=20`),
    () => read(staff(), `quote_replies?quote_id=eq.${id}&order=created_at`),
    () => {
      const endpoint = `https://push.example.com/${oneOf(['a', 'b'])}`;
      const device = { endpoint, p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22), quote_id: id };
      return write(phone(), 'push_devices', shown(), device);
    },
    () => {
      const path = `quote_desk?quote_id=eq.${id}&select=quote_id`;
      const body = { blocked_at: oneOf(['2026-01-01T00:00:00Z', null]) };
      return ask({ as: service(), method: 'PATCH', path, headers: { prefer: 'return=representation' }, body });
    },
    () => {
      const prefer = oneOf(['return=representation', 'return=minimal']);
      return ask({ as: service(), method: 'DELETE', path: `quotes?id=eq.${id}&select=id`, headers: { prefer } });
    },
  ];

  const [row] = await send(quote);
  folio = (row?.['folio'] ?? '') as string;
  if (sometimes(0.3)) presented = `${id},${mint()}`;
  await look();
  for (let left = REQUESTS - 2; left > 0; left--) await oneOf(acts)();
}
