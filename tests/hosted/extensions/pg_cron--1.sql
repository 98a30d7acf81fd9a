-- Substitute for pg_cron (https://github.com/citusdata/pg_cron) with what the migrations use. It only stores the jobs: the
-- test runs them itself, without waiting for their schedule.
create schema cron;
create table cron.job (
  jobid bigserial primary key, schedule text not null check (schedule ~ '^([1-9]|[1-5][0-9]) seconds$|^(\S+ ){4}\S+$'),
  command text not null, username text not null default current_user, jobname text unique);
create function cron.schedule(job_name text, schedule text, command text) returns bigint
  language sql security definer set search_path = ''
  as $$
    insert into cron.job (jobname, schedule, command, username) values (job_name, schedule, command, session_user)
      on conflict (jobname) do update set schedule = excluded.schedule, command = excluded.command returning jobid
  $$;
create function cron.unschedule(job_name text) returns boolean
  language plpgsql security definer set search_path = ''
  as $$
begin
  delete from cron.job where jobname = job_name;
  if not found then raise 'could not find valid entry for job ''%''', job_name; end if;
  return true;
end $$;
grant usage on schema cron to postgres;
grant select on cron.job to postgres;
