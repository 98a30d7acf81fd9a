-- What is blocked is there for the service key alone: also what was shipped, its files, and what was closed or withdrawn.

alter policy "staff read details" on public.quote_details
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
alter policy "staff read files" on public.quote_files
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
-- Of the files that they may read.
alter policy "staff read the parts of files" on public.quote_file_parts
  using ((select private.is_staff()) and exists (select from public.quote_files where id = file_id));
alter policy "staff read which links were closed" on public.quote_link_closings
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
alter policy "staff read withdrawals" on public.promotion_withdrawals
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
