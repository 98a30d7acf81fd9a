-- Calls the function "alert" of a hosted project: at once when an alert is written, and every 30 seconds for those whose
-- time has come. Put the address and a key of the project in the first two lines, and run it once in the SQL editor.
select vault.create_secret('https://YOUR-PROJECT.supabase.co/functions/v1/alert', 'alert_function');
select vault.create_secret('YOUR-SERVICE-ROLE-KEY', 'alert_key');

create extension if not exists pg_net;
create extension if not exists pg_cron;

create or replace function private.call_alert_function() returns void
  language sql security definer set search_path = ''
  as $$
    select net.http_post(
      url := (select decrypted_secret from vault.decrypted_secrets where name = 'alert_function'),
      headers := jsonb_build_object('Authorization', 'Bearer ' ||
        (select decrypted_secret from vault.decrypted_secrets where name = 'alert_key')))
  $$;
revoke all on function private.call_alert_function() from public;

-- pg_net sends after the commit, and only then: it delays no quote.
create or replace function private.alerts_call() returns trigger
  language plpgsql security definer set search_path = ''
  as $$ begin perform private.call_alert_function(); return null; end $$;
revoke all on function private.alerts_call() from public;
create or replace trigger alerts_call after insert on public.alerts
  for each statement execute function private.alerts_call();

select cron.schedule('alerts', '30 seconds', 'select private.call_alert_function()');
