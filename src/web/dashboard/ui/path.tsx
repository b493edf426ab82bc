/** A path that breaks after its slashes first. */
export const Path = ({ path }: { path: string }) => (
  <>
    {path.split(/(?<=\/)/).map((part, at) => (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of a path have no other identity
      <span key={at}>
        {part}
        <wbr />
      </span>
    ))}
  </>
)
