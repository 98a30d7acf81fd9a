-- Makes the database of a hosted project call the function "alert": after each new alert, and every 30 seconds. Run by
-- `npm run hosted -- setup`, or by hand in the SQL editor after each change of the address or the ALERTS_KEY.
select private.start_alert_calls('https://YOUR-PROJECT.supabase.co/functions/v1/alert', 'YOUR-ALERTS-KEY');
