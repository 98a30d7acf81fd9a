import { expect, test } from 'vitest';
import { askAsOwner } from './callers.ts';
import { engineOfFile, ON_POSTGRES, pgliteEngine, postgresEngines, type Engine } from './engines.ts';

const engine = await engineOfFile();

/** Rights on columns and on whole tables. Row-level security limits the rows (desk.test.ts). */
const EXPECTED = `
anon insert alert_shown: message_id
anon insert mail_stops: id quote_id
anon insert promotion_withdrawals: id quote_id
anon insert push_devices: auth endpoint p256dh quote_id
anon insert quote_details: alto ancho destino empaque hace id incoterm kilos largo lista peligrosa piezas producto
  quote_id salida temperatura
anon insert quote_file_parts: base64 file_id parte
anon insert quote_files: bytes huella id nombre quote_id tipo
anon insert quote_link_closings: id quote_id
anon insert quote_replies: answer_id body enlace entregada hace id kind quote_id
anon insert quote_seen: answer_id quote_id
anon insert quotes: email empresa entregada id igual more nombre peso promociones reemplaza telefono tipo_carga
anon insert shipment_papers: archivo estado hace id papel quote_id
anon insert whatsapp_choices: aviso id quote_id wanted
anon select mail_stops: created_at id quote_id
anon select promotion_withdrawals: created_at id quote_id
anon select push_keys: public_key
anon select quote_answers: body created_at currency id kilos kind lines pesos price price_for quote_id rate rate_day
  rate_source total valid_until
anon select quote_file_parts: file_id parte
anon select quote_link_closings: created_at id quote_id
anon select quote_seen: answer_id
anon select shipment_papers: archivo author_name created_at estado id papel pressed_at quote_id
anon select whatsapp_choices: created_at id quote_id wanted
anon select: customer_ways desk_watch quote_details quote_files quote_links quote_offers quote_replies quote_words
  quotes schema_version unknown_submissions
authenticated delete: desk_reminders desk_templates
authenticated insert desk_acts: id kind leads quote_id what
authenticated insert desk_reminders: at quote_id why
authenticated insert desk_templates: body body_en currency id kind lines name place price_for
authenticated insert desk_watches: secret
authenticated insert exchange_rates: currency day id pesos source
authenticated insert lead_imports: id is_trial leads
authenticated insert offer_moves: answer_id id quote_id reference state word
authenticated insert push_devices: auth endpoint p256dh
authenticated insert quote_answers: body currency id kilos kind lines price price_for quote_id valid_until
authenticated insert quote_joins: id into_quote quote_id word
authenticated insert quote_notes: body id quote_id
authenticated insert quotes: email empresa id igual more nombre origen peso promociones reemplaza telefono tipo_carga
authenticated insert shipment_flights: answer_id arrives_at cutoff_at departs_at flight flight_day id origin pickup_at
  quote_id waybill
authenticated insert shipment_papers: estado id papel quote_id
authenticated insert shipment_steps: answer_id at corrects id quote_id step waste word
authenticated insert staff_signs: heir id kind
authenticated insert step_imports: id is_trial steps
authenticated select push_keys: public_key
authenticated select received_files: bytes huella id message_id nombre tipo
authenticated select webhooks: created_at events has_contact has_one_record host id
authenticated select: alert_messages alert_sender alerts desk_acts desk_alerts desk_history desk_leads desk_mails
  desk_reach desk_reminders desk_search desk_shipments desk_templates desk_whatsapp exchange_rates lead_imports
  mail_stops offer_moves promotion_withdrawals quote_answers quote_desk quote_details quote_events quote_file_parts
  quote_files quote_link_closings quote_notes quote_offers quote_replies quote_seen quote_words quotes
  received_messages received_suggestions schema_version shipment_flights shipment_papers shipment_steps step_imports
  webhook_deliveries whatsapp_choices whatsapp_people
authenticated update desk_reminders: at why
authenticated update desk_templates: body body_en currency kind lines name place price_for
authenticated update quote_desk: assignee lost_reason status
authenticated update received_messages: quote_id state
authenticated update webhook_deliveries: state
service_role delete: alert_tests push_devices quotes received_messages webhooks
service_role insert desk_acts: id kind leads quote_id rows what
service_role insert lead_imports: id is_trial leads
service_role insert quote_answers: author_name body currency id kilos kind lines price price_for quote_id valid_until
service_role insert shipment_flights: answer_id arrives_at cutoff_at departs_at flight flight_day id origin pickup_at
  quote_id waybill
service_role insert shipment_steps: answer_id at author_name corrects id quote_id step waste word
service_role insert staff_signs: id kind staff
service_role insert step_imports: id is_trial steps
service_role insert webhooks: events has_contact has_one_record secret url
service_role insert: alert_tests push_keys quotes
service_role update quote_desk: blocked_at
service_role update received_messages: state
service_role update webhook_deliveries: state
service_role update: quotes`;

/** Query with all rights of the three roles. */
const RIGHTS = `
  with roles as (select oid, rolname from pg_roles where rolname in ('anon', 'authenticated', 'service_role')),
    rooms as (select oid from pg_namespace where nspname in ('public', 'private')),
    tables as (select oid from pg_class where relnamespace in (select oid from rooms) and relkind in ('r', 'v'))
  select format('%s %s %s: %s', rolname, act, t.oid::regclass, string_agg(attname, ' ' order by attname)) as line
  from roles as r, unnest(array['select', 'insert', 'update']) as act, tables as t join pg_attribute on attrelid = t.oid
  where attnum > 0 and not attisdropped and has_column_privilege(r.oid, t.oid, attnum, act)
    and not has_table_privilege(r.oid, t.oid, act)
  group by rolname, act, t.oid
  union all select format('%s %s: %s', rolname, act, string_agg(t.oid::regclass::text, ' ' order by relname))
  from roles as r, unnest(array['select', 'insert', 'update', 'delete', 'truncate']) as act,
    tables as t join pg_class as c using (oid)
  -- The service key’s right to truncate does not matter: no request can ask for it.
  where has_table_privilege(r.oid, t.oid, act) and not (act = 'truncate' and rolname = 'service_role')
  group by rolname, act
  union all select format('%s calls %s', rolname, f.oid::regprocedure)
  from roles as r, pg_proc as f
  where pronamespace in (select oid from rooms) and has_function_privilege(r.oid, f.oid, 'execute')
  union all select format('%s %s of %s', rolname, act, n.oid::regnamespace)
  from roles as r, rooms as n, unnest(array['usage', 'create']) as act where has_schema_privilege(r.oid, n.oid, act)
  union all select format('%s uses %s', rolname, c.oid::regclass)
  from roles as r, pg_class as c
  where relkind = 'S' and relnamespace in (select oid from rooms) and has_sequence_privilege(r.oid, c.oid, 'usage')
  order by 1`;

const rightsIn = async (each: Engine) => (await askAsOwner<{ line: string }>(each, RIGHTS)).map(({ line }) => line);
/**
 * Rights that EXPECTED does not list because they are harmless: what the service key reads or calls, functions of
 * `private`, which no request can call, and the usage of schema public.
 */
const LESS = /^service_role (select|calls)|calls private\.|usage of public$/;

test('visitors, accounts and the service key have only the listed rights in the database', async () => {
  const rights = (await rightsIn(engine)).filter((line) => !LESS.test(line));
  expect(rights.toSorted()).toEqual(EXPECTED.trim().replaceAll('\n  ', ' ').split('\n'));
});

test.runIf(ON_POSTGRES)('roles have the same rights on PGlite and on older and newer hosted projects', async () => {
  const compared = [await pgliteEngine(), ...(await postgresEngines())!];
  const [rights, ...others] = await Promise.all(compared.map(rightsIn));
  await Promise.all(compared.map((each) => each.close()));
  expect(rights!.length).toBeGreaterThan(100);
  for (const other of others) expect(other).toEqual(rights);
});
