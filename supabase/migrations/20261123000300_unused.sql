-- What nobody asks: the page, the desk and the command line read a folio themselves and look for what it stands for,
-- and nobody listens for new quotes, whose alerts are rows.
drop function public.quotes_by_folio(text);
drop trigger quotes_notify on public.quotes;
drop function private.quotes_notify();
