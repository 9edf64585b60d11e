! SPDX-License-Identifier: MIT
!
! A plugin in Fortran: src/variant.h and src/plugin.h as bind(c) types, and a
! cumsum of f32 for the host.
!
!   gfortran -std=f2008 -O3 -shared -fPIC fortran_scan.f90 -o fortran_scan.so
!   scanbench check --device host --plugin ./fortran_scan.so --family fortran
module fortran_scan
  use iso_c_binding
  implicit none

  integer(c_int), parameter :: host = 0, f32 = 0
  integer(c_int), parameter :: error_serial = 1
  integer(c_int32_t), parameter :: plugin_version = 2
  integer(c_int64_t), parameter :: form_scan = 1, reducer_add = 2

  type, bind(c) :: shape_t
    integer(c_int64_t) :: outer, axis, inner
  end type
  type, bind(c) :: problem_t
    integer(c_int) :: op, dtype
    type(shape_t) :: extents
    type(c_ptr) :: in, mask, out, workspace, device
  end type
  type, bind(c) :: op_set_t
    integer(c_int64_t) :: forms = 0, reducers(0:11) = 0 ! of each dtype
  end type
  type, bind(c) :: variant_t
    type(c_ptr) :: name = c_null_ptr, idea = c_null_ptr
    integer(c_int) :: runs_on = host
    type(op_set_t) :: ops
    real(c_double) :: passes = 1, passes_masked = 0
    integer(c_int) :: error_growth = error_serial
    integer(c_int64_t) :: error_tile = 0
    logical(c_bool) :: deterministic = .true., spreads_nonfinite = .false.
    logical(c_bool) :: loses_subnormals = .false.
    type(c_funptr) :: refuses = c_null_funptr, workspace_bytes = c_null_funptr
    type(c_funptr) :: launch = c_null_funptr
  end type
  type, bind(c) :: family_t
    type(c_ptr) :: id = c_null_ptr, variants = c_null_ptr
  end type
  type, bind(c) :: plugin_t
    integer(c_int32_t) :: version, bytes, variant_bytes, problem_bytes
    integer(c_int32_t) :: facts_bytes, reducer_bytes
    type(c_ptr) :: name, families
  end type

  character(len=13), target :: name = 'fortran_scan' // c_null_char
  character(len=26), target :: idea = 'a loop over rows, Fortran' // c_null_char
  character(len=21), target :: id = 'fortran/fortran_scan' // c_null_char
  type(variant_t), target :: variants(2)
  type(family_t), target :: families(2)
  type(plugin_t), target :: plugin

contains

  ! Scans all lines of an outer index at once; inner is the first and fastest extent
  ! of the array.
  subroutine scan(x, y, s)
    type(shape_t), intent(in) :: s
    real(c_float), intent(in) :: x(s%inner, s%axis, s%outer)
    real(c_float), intent(out) :: y(s%inner, s%axis, s%outer)
    integer(c_int64_t) :: a, o
    do o = 1, s%outer
      y(:, 1, o) = x(:, 1, o)
      do a = 2, s%axis
        y(:, a, o) = y(:, a - 1, o) + x(:, a, o)
      end do
    end do
  end subroutine

  function launch(p, stream) bind(c) result(error)
    type(problem_t), intent(in) :: p
    type(c_ptr), value :: stream
    integer(c_int) :: error
    real(c_float), pointer :: x(:), y(:)
    integer(c_int64_t) :: n
    n = p%extents%outer * p%extents%axis * p%extents%inner
    error = 0
    if (c_associated(stream)) error = 1 ! always null on the host
    call c_f_pointer(p%in, x, [n])
    call c_f_pointer(p%out, y, [n])
    call scan(x, y, p%extents)
  end function

  function offer() bind(c, name='scanbench_plugin') result(offered)
    type(c_ptr) :: offered
    type(problem_t) :: problem
    variants(1)%name = c_loc(name)
    variants(1)%idea = c_loc(idea)
    variants(1)%ops%forms = form_scan
    variants(1)%ops%reducers(f32) = reducer_add
    variants(1)%launch = c_funloc(launch)
    families(1) = family_t(c_loc(id), c_loc(variants))
    ! It reads no device facts, so their size is the smallest possible, and has no
    ! operators.
    plugin = plugin_t(plugin_version, int(c_sizeof(plugin), c_int32_t), &
      int(c_sizeof(variants(1)), c_int32_t), &
      int(c_sizeof(problem), c_int32_t), 4, 0, c_loc(name), c_loc(families))
    offered = c_loc(plugin)
  end function
end module
