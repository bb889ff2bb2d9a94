/**
 * Pictures that imports copied: what is kept, whose it is, and which address each was copied from; and when reports of imports are forgotten.
 * Frozen once released; imports no application code.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table images (
    hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
    type text not null check (type in ('png', 'jpg', 'gif', 'webp', 'avif')),
    bytes integer not null check (bytes > 0),
    created_at timestamptz not null,
    deleting_since timestamptz
  )`,
  `comment on column images.deleting_since is 'It is being taken out of the store, where nobody had it any more; who wants it again waits until it is gone'`,

  `create table author_images (
    author_id uuid not null references users on delete cascade,
    hash text not null references images,
    bytes integer not null,
    checked_at timestamptz not null,
    unused_since timestamptz,
    primary key (author_id, hash)
  )`,
  `comment on column author_images.checked_at is 'When it was last looked for in the documents of the author'`,
  `comment on column author_images.unused_since is 'None of the documents names it since then'`,
  'create index author_images_hash_idx on author_images (hash)',
  'create index author_images_checked_at_idx on author_images (checked_at)',

  `create table image_copies (
    author_id uuid not null,
    address text not null,
    hash text not null,
    primary key (author_id, address),
    foreign key (author_id, hash) references author_images on delete cascade
  )`,
  `comment on table image_copies is 'Which picture was copied from an address: it is fetched once, however many posts show it'`,
  'create index image_copies_hash_idx on image_copies (author_id, hash)',

  'create index imports_ended_at_idx on imports (ended_at) where ended_at is not null',
];
