-- Alerts are told of quotes, and refuse none.

-- As before, but that a project without pg_net or vault, or whose secrets are gone, takes what is sent all the same. That
-- nobody looks for alerts is seen at the desk (`alert_sender`).
create or replace function private.alerts_call_function() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  perform private.call_for_alerts();
  return null;
exception when others then
  raise warning 'The function that sends alerts could not be called: %', sqlerrm;
  return null;
end $$;
