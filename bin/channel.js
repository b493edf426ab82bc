// The channel to the parent process reports its end, and must not keep us alive when our work is
// done. A worker of ours inherits this file, but needs its own channel: it has another parent.

if (process.env.BOZOR_PARENT === String(process.ppid)) process.channel?.unref()
