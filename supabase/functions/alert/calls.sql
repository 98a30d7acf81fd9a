-- Lets the database of a hosted project call the function "alert": at once when an alert is written, and every 30 seconds
-- for those whose time has come. npm run hosted -- setup runs it; by hand it is run in the SQL editor, with the address and
-- the ALERTS_KEY of the function in it, as often as they change.
select private.start_alert_calls('https://YOUR-PROJECT.supabase.co/functions/v1/alert', 'YOUR-ALERTS-KEY');
