-- The job that deletes stored replies has a new name.

-- in live, test

update job_leases set name = 'purge-replies' where name = 'forget-replies';
update job_runs set name = 'purge-replies' where name = 'forget-replies';
