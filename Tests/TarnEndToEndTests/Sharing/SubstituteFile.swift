import Glibc
import TarnTesting

/// A library by which a program that opens one file gets another one.
struct SubstituteFile {
    let path: String

    struct NotBuilt: Error {}

    init(
        _ original: String, by substitute: String, holding text: String,
        in folder: TemporaryFolder
    ) throws {
        path = folder.file("substitute.so")
        let source = """
            #define _GNU_SOURCE
            #include <fcntl.h>
            #include <stdarg.h>
            #include <string.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            int open(const char *path, int flags, ...) {
                va_list list;
                va_start(list, flags);
                int mode = va_arg(list, int);
                va_end(list);
                if (strcmp(path, "\(original)") == 0) path = "\(substitute)";
                return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
            }
            int open64(const char *path, int flags, ...) {
                va_list list;
                va_start(list, flags);
                int mode = va_arg(list, int);
                va_end(list);
                return open(path, flags, mode);
            }
            """
        try Self.write(source, to: folder.file("substitute.c"))
        try Self.write(text, to: substitute)
        let status = system(
            "$(command -v cc || command -v clang || echo /opt/swift/usr/bin/clang) -shared -fPIC "
                + "-o '\(path)' '\(folder.file("substitute.c"))'")
        guard status == 0 else { throw NotBuilt() }
    }

    private static func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "w") else { throw NotBuilt() }
        fputs(text, file)
        fclose(file)
    }
}
