// The channel to the parent process reports its end, and must not keep this process alive when its work is done. A
// worker process inherits this file, but needs its own channel, because it has another parent.

if (process.env.BOZOR_PARENT === String(process.ppid)) process.channel?.unref()
