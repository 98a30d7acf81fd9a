-- Makes the database of a hosted project call the function "alert" after each new alert, and every 30 seconds. `npm run
-- hosted -- setup` runs this file. If the URL or the ALERTS_KEY changes, run it again in the SQL editor.
select private.start_alert_calls('https://YOUR-PROJECT.supabase.co/functions/v1/alert', 'YOUR-ALERTS-KEY');
