import { ANA, CALLERS, type Asked } from './both.ts';

// Requests that are sent to our server and to a hosted Supabase project, to compare the responses.

const PHONE = 'id,quote_id,created_at,body,price,price_for,currency,valid_until';

/** Returns the requests that phone, desk and command line make about an existing quote. */
export function writtenRequests(quote: string): Asked[] {
  const reads = [
    'quotes',
    `quotes?select=id&id=eq.${quote}`,
    'quotes?select=*&order=peso.desc,id&limit=1000',
    'quotes?order=peso,id&limit=5&offset=3',
    'quotes?order=peso,id&offset=100000',
    'quotes?limit=0',
    `quotes?select=id,folio,entregada&id=in.(${quote},${ANA})`,
    'quotes?nombre=eq.Mar%C3%ADa%20N%C3%BA%C3%B1ez&select=nombre',
    'quotes?nombre=in.("a,b","O\'Neill","una (1)","con \\"comillas\\"")&select=nombre',
    'quotes?id=in.()',
    'quotes?peso=gte.4000&peso=eq.4999',
    'quotes?peso=eq.abc',
    'quotes?peso=is.true',
    'quotes?id=eq.not-a-uuid',
    'quotes?peso=eq.2147483648',
    'quotes?color=eq.rojo',
    'quotes?select=id,color',
    'quotes?order=color',
    'quotes?nombre=is.null&empresa=in.(%F0%9F%A5%AD,%22%5C%5C%22)&select=id',
    'quotes?entregada=is.null&select=id&order=id&limit=3',
    `desk_leads?select=*&quote_id=eq.${quote}`,
    'desk_leads?select=*&open=is.true&order=asked_at,quote_id&offset=0&limit=500',
    'desk_leads?select=*&updated_at=gte.2020-01-01T00:00:00.000Z&order=updated_at,quote_id&limit=500',
    'desk_leads?select=*&folio=eq.AP-0000-0000&order=created_at.desc&limit=1',
    `quote_desk?quote_id=eq.${quote}`,
    'quote_desk?asked_at=gte.yesterdayish',
    'quote_desk?due_at=gte.infinity&select=quote_id',
    'quote_answers?valid_until=eq.2020-02-30',
    'quote_answers?price=gte.0.01&price=eq.4.10&select=kind,price&order=id',
    `quote_answers?quote_id=eq.${quote}&order=created_at`,
    `quote_answers?select=${PHONE}&order=created_at`,
    `quote_replies?quote_id=eq.${quote}&order=created_at`,
    'quote_seen?select=answer_id',
    `quote_notes?quote_id=eq.${quote}`,
    `quote_events?quote_id=eq.${quote}&order=id.desc&limit=20`,
    'unknown_submissions?select=id',
    'quote_links?select=*',
    `quote_link_closings?quote_id=eq.${quote}&order=created_at`,
    `quote_details?quote_id=eq.${quote}&order=pressed_at`,
    `quote_files?quote_id=eq.${quote}&order=created_at`,
    `quote_file_parts?select=parte&file_id=eq.${quote}&order=parte`,
    'push_keys?select=public_key',
    'push_keys',
    'push_devices?select=endpoint&order=endpoint,quote_id',
    'desk_alerts?select=sent_at,shown_at,taken_at&sent_at=gte.2020-01-01&order=sent_at,quote_id&offset=0&limit=500',
    'alert_sender?select=ran_at,called_at,answered',
    'desk_reach?select=*&order=name',
    'desk_watch?select=open,late,newest',
    `desk_history?select=*&of_quote=eq.${quote}&order=created_at.desc&limit=50`,
    'desk_search?select=quote_id',
    `alert_test_messages?select=spread_at,message_id,way,sent_at,result&test_id=eq.${quote}`,
  ];
  const requests = reads.map((path) => ({ method: 'GET', path }));
  const presenting = requests.map((each) => ({ ...each, headers: { 'x-submission-id': quote } }));
  const searching = SEARCHED.map((typed) => ({
    method: 'GET',
    path: 'desk_search?select=quote_id',
    headers: { 'x-search': typed },
  }));
  return CALLERS.flatMap((as) => [...requests, ...presenting, ...searching].map((each) => ({ ...each, as })));
}

/** Search texts as the desk sends them in a header, and hostile texts. */
const SEARCHED = [
  'maria nunez',
  'Mar\\u00eda N\\u00fa\\u00f1ez',
  '+52 664 555 0175',
  '0175',
  'compras 6645550175',
  'empresa 1',
  'AP-',
  'zz',
  '%%%',
  'a_e\\\\%',
  "o'neill",
  '%1$s \\"',
  '\\',
  '\\u0000x',
  '"]',
];
